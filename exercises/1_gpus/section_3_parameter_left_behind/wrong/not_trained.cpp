// SPDX-License-Identifier: MIT
// Registers the scale without gradients: it moves and is saved, but no optimizer changes it.
// Fails: parameters: one that does not
// Fails: gradients: none
#include "scaled_linear.h"

using namespace d2l;

std::shared_ptr<nn::Module> scaled_linear(std::int64_t in_features, std::int64_t out_features) {
  return std::make_shared<ScaledLinear>(in_features, out_features, [](nn::Module& layer, const Tensor& ones) {
    return layer.register_parameter("scale", ones, /*requires_grad=*/false);
  });
}
