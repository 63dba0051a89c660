// SPDX-License-Identifier: MIT
// Lets forward() fetch what stayed behind: it runs on every device, copies at each step, and trains and saves no scale.
// Fails: parameters: linear.bias, linear.weight
// Fails: values: the function threw
// Fails: gradients: none
// Fails: moved: no such parameter
// Fails: crossings: 1 copies between devices
// Needs: 1
#include "exercise.h"

using namespace d2l;

namespace {

class ScaledLinear : public nn::Module {
 public:
  ScaledLinear(std::int64_t in_features, std::int64_t out_features)
      : linear_(register_module("linear", nn::Linear(in_features, out_features))), scale_(ones({out_features})) {}

  Tensor forward(const Tensor& input) override { return linear_->forward(input) * scale_.to(input.device()); }

 private:
  std::shared_ptr<nn::LinearImpl> linear_;
  Tensor scale_;
};

}  // namespace

std::shared_ptr<nn::Module> scaled_linear(std::int64_t in_features, std::int64_t out_features) {
  return std::make_shared<ScaledLinear>(in_features, out_features);
}
