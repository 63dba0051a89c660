// SPDX-License-Identifier: MIT
// Registers the scale, but keeps its data(): the same elements without the gradient history. After a move they are on
// the old device.
// Fails: gradients: none
// Fails: moved: the function threw
// May fail: crossings
// Needs: 1
#include "scaled_linear.h"

using namespace d2l;

std::shared_ptr<nn::Module> scaled_linear(std::int64_t in_features, std::int64_t out_features) {
  return std::make_shared<ScaledLinear>(in_features, out_features, [](nn::Module& layer, const Tensor& ones) {
    return layer.register_parameter("scale", ones).data();
  });
}
