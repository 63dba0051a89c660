// SPDX-License-Identifier: MIT
// Registers a scale, and computes with another tensor: the one that moves and trains is not the one that is used.
// Fails: values: .
// Fails: gradients: none
// Fails: moved: .
// May fail: crossings
#include "exercise.h"

using namespace d2l;

namespace {

class ScaledLinear : public nn::Module {
 public:
  ScaledLinear(std::int64_t in_features, std::int64_t out_features)
      : linear_(register_module("linear", nn::Linear(in_features, out_features))), scale_(ones({out_features})) {
    register_parameter("scale", scale_.clone());
  }

  Tensor forward(const Tensor& input) override { return linear_->forward(input) * scale_; }

 private:
  std::shared_ptr<nn::LinearImpl> linear_;
  Tensor scale_;
};

}  // namespace

std::shared_ptr<nn::Module> scaled_linear(std::int64_t in_features, std::int64_t out_features) {
  return std::make_shared<ScaledLinear>(in_features, out_features);
}
