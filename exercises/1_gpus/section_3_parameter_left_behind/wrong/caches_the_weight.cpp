// SPDX-License-Identifier: MIT
// Multiplies the weight by the scale once, at the first forward(), and keeps that: later values are not seen.
// Fails: values: off by
// May fail: gradients
// May fail: moved
// May fail: crossings
#include "exercise.h"

using namespace d2l;

namespace {

class CachedLinear : public nn::Module {
 public:
  CachedLinear(std::int64_t in_features, std::int64_t out_features)
      : linear_(register_module("linear", nn::Linear(in_features, out_features))),
        scale_(register_parameter("scale", ones({out_features}))) {}

  Tensor forward(const Tensor& input) override {
    if (!weight_.defined() || weight_.device() != input.device()) weight_ = (linear_->weight * scale_.unsqueeze(1)).t();
    return input.matmul(weight_) + linear_->bias * scale_;
  }

 private:
  std::shared_ptr<nn::LinearImpl> linear_;
  Tensor scale_;
  Tensor weight_;
};

}  // namespace

std::shared_ptr<nn::Module> scaled_linear(std::int64_t in_features, std::int64_t out_features) {
  return std::make_shared<CachedLinear>(in_features, out_features);
}
