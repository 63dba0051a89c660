// SPDX-License-Identifier: MIT
// Derivatives of the losses of element_losses.cpp. g is the gradient of the result.
#include <fmt/format.h>

#include "autograd/recorded_operation.h"
#include "d2l/layer_ops.h"
#include "ops/elementwise_launch.h"

namespace d2l::detail::derivatives {

namespace {

/// g by each loss: divided by their number if the result is their mean.
Tensor of_each(const Tensor& g, std::int64_t reduction, std::int64_t count) {
  return reduction == Reduction::Mean ? g / static_cast<double>(count) : g;
}

/// The difference within ±delta, divided by the divisor: the slope of a parabola, and of the lines beyond it.
void huber_slope(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& input = operation.saved(0);
  const Tensor& target = operation.saved(1);
  const Tensor difference = input - converted(target, promoteTypes(input.dtype(), target.dtype()));
  const Scalar delta = operation.number;
  const Tensor scale = of_each(g, operation.integers[0], difference.numel()) / operation.second_number;
  const Tensor slope = difference.clamp(-delta.toDouble(), delta) * scale;
  if (operation.wants(0)) results[0] = slope;
  if (operation.wants(1)) results[1] = -slope;
}

}  // namespace

void HuberLossBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& input = operation.saved(0);
  const Tensor& target = operation.saved(1);
  if (input.dtype() != target.dtype()) {  // PyTorch has the loss of two dtypes, but not its gradient
    const bool by_input = operation.wants(0);
    fail<TypeError>("huber_loss",
                    fmt::format("Found dtype {} but expected {}", toString((by_input ? target : input).dtype()),
                                toString((by_input ? input : target).dtype())),
                    operands({{"input", input.impl().get()}, {"target", target.impl().get()}}),
                    "convert the target to the dtype of the input");
  }
  huber_slope(operation, g, results);
}

void SmoothL1LossBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  huber_slope(operation, g, results);
}

void BinaryCrossEntropyWithLogitsBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const Tensor& target = operation.saved(1);
  const bool weighted = operation.saved_tensors[3].tensor.defined();
  Tensor scale = of_each(g, operation.integers[0], x.numel());
  if (operation.saved_tensors[2].tensor.defined()) scale = scale * operation.saved(2);
  if (operation.wants(0)) {
    const Tensor positive = weighted ? operation.saved(3) * target : target;
    // The sum of both targets' weights is 1 unless the positive ones have a weight of their own.
    const Tensor sigmoid = weighted ? (positive + 1 - target) * x.sigmoid() : x.sigmoid();
    results[0] = (sigmoid - positive) * scale;
  }
  if (operation.wants(1)) {
    // softplus(−x) is −log σ(x); beyond the threshold, what it leaves out is smaller than a rounding.
    const Tensor slope = weighted ? operation.saved(3) * softplus(-x, 1, 40) - softplus(x, 1, 40) : -x;
    results[1] = slope * scale;
  }
}

}  // namespace d2l::detail::derivatives
