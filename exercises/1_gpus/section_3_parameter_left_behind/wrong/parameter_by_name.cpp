// SPDX-License-Identifier: MIT
// In Python, assigning an nn.Parameter registers it. Here nn::Parameter makes a tensor that wants gradients, no more.
// Fails: parameters: linear.bias, linear.weight
// Fails: values: the function threw
// Fails: gradients: none
// Fails: moved: no such parameter
// May fail: crossings
#include "exercise.h"

using namespace d2l;

namespace {

class ScaledLinear : public nn::Module {
 public:
  ScaledLinear(std::int64_t in_features, std::int64_t out_features)
      : linear_(register_module("linear", nn::Linear(in_features, out_features))),
        scale_(nn::Parameter(ones({out_features}))) {}

  Tensor forward(const Tensor& input) override { return linear_->forward(input) * scale_; }

 private:
  std::shared_ptr<nn::LinearImpl> linear_;
  Tensor scale_;
};

}  // namespace

std::shared_ptr<nn::Module> scaled_linear(std::int64_t in_features, std::int64_t out_features) {
  return std::make_shared<ScaledLinear>(in_features, out_features);
}
