// SPDX-License-Identifier: MIT
// In Python, assigning an nn.Parameter registers it. Here nn::Parameter only makes a tensor that requires gradients.
// Fails: parameters: linear.bias, linear.weight
// Fails: values: the function threw
// Fails: gradients: none
// Fails: moved: no such parameter
// May fail: crossings
#include "scaled_linear.h"

using namespace d2l;

std::shared_ptr<nn::Module> scaled_linear(std::int64_t in_features, std::int64_t out_features) {
  return std::make_shared<ScaledLinear>(in_features, out_features,
                                        [](nn::Module& /*layer*/, const Tensor& ones) { return nn::Parameter(ones); });
}
