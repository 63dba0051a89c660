// SPDX-License-Identifier: MIT
// Registers the scale without gradients: it moves and is saved, and no optimiser changes it.
// Fails: parameters: one that does not
// Fails: gradients: none
#include "exercise.h"

using namespace d2l;

namespace {

class ScaledLinear : public nn::Module {
 public:
  ScaledLinear(std::int64_t in_features, std::int64_t out_features)
      : linear_(register_module("linear", nn::Linear(in_features, out_features))),
        scale_(register_parameter("scale", ones({out_features}), /*requires_grad=*/false)) {}

  Tensor forward(const Tensor& input) override { return linear_->forward(input) * scale_; }

 private:
  std::shared_ptr<nn::LinearImpl> linear_;
  Tensor scale_;
};

}  // namespace

std::shared_ptr<nn::Module> scaled_linear(std::int64_t in_features, std::int64_t out_features) {
  return std::make_shared<ScaledLinear>(in_features, out_features);
}
