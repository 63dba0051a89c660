// SPDX-License-Identifier: MIT
// The derivative of a convolution. g is the gradient of the result.
#include "autograd/recorded_operation.h"
#include "layer_ops/convolution.h"

namespace d2l::detail::derivatives {

void ConvolutionBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto sizes = [&operation](std::size_t input) { return operation.inputs[input].sizes; };
  if (operation.wants(0)) {
    results[0] = convolution_input_gradient(g, operation.saved(1), sizes(0), operation.dims);
  }
  if (operation.wants(1)) {
    results[1] = convolution_weight_gradient(g, operation.saved(0), sizes(1), operation.dims);
  }
  if (operation.wants(2)) results[2] = g.sum({2, 3}).sum(0);
}

}  // namespace d2l::detail::derivatives
