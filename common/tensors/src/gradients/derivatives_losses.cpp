// SPDX-License-Identifier: MIT
// Derivatives of the losses. g is the gradient of the result.
#include "autograd/recorded_operation.h"
#include "d2l/layer_ops.h"
#include "layer_ops/losses.h"
#include "ops/elementwise_launch.h"
#include "ops/gather_scatter.h"

namespace d2l::detail::derivatives {

void MseLossBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& input = operation.saved(0);
  const Tensor& target = operation.saved(1);
  const Tensor difference = input - converted(target, promoteTypes(input.dtype(), target.dtype()));
  const bool mean = operation.integers[0] == Reduction::Mean;
  const double factor = mean ? 2.0 / static_cast<double>(difference.numel()) : 2.0;
  const Tensor slope = difference * (g * factor);
  if (operation.wants(0)) results[0] = slope;
  if (operation.wants(1)) results[1] = -slope;
}

D2L_DERIVATIVE(LogSoftmaxBackward0,
               log_softmax_gradient(g, operation.saved(0), static_cast<int>(operation.integers[0])))

D2L_DERIVATIVE(SoftmaxBackward0, softmax_gradient(g, operation.saved(0), static_cast<int>(operation.integers[0])))

void NllLossBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& target = operation.saved(0);
  const bool mean = operation.integers[0] == Reduction::Mean;
  Tensor slope = mean ? g / operation.saved(1).neg() : -g;
  if (operation.saved_tensors[2].tensor.defined()) slope = slope * operation.saved(2);
  const auto dim = static_cast<int>(operation.dims[0]);
  results[0] = scatter(slope.expand(target.sizes()), target, operation.inputs[0].sizes, dim, operation.integers[1]);
}

void NllLoss2DBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  NllLossBackward0(operation, g, results);
}

}  // namespace d2l::detail::derivatives
