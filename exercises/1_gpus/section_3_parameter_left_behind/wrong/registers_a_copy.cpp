// SPDX-License-Identifier: MIT
// Registers one scale, and computes with another tensor: the one that moves and trains is not the one in use.
// Fails: values: .
// Fails: gradients: none
// Fails: moved: .
// May fail: crossings
#include "scaled_linear.h"

using namespace d2l;

std::shared_ptr<nn::Module> scaled_linear(std::int64_t in_features, std::int64_t out_features) {
  return std::make_shared<ScaledLinear>(in_features, out_features, [](nn::Module& layer, const Tensor& ones) {
    layer.register_parameter("scale", ones.clone());
    return ones;
  });
}
