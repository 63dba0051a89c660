// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

namespace {

class ScaledLinear : public nn::Module {
 public:
  ScaledLinear(std::int64_t in_features, std::int64_t out_features)
      : linear_(register_module("linear", nn::Linear(in_features, out_features))),
        scale_(
            ones({out_features}))  // TODO: how is the scale registered with the module?
  {}

  Tensor forward(const Tensor& input) override {
    return linear_->forward(input) * scale_;
  }

 private:
  std::shared_ptr<nn::LinearImpl> linear_;
  Tensor scale_;
};

}  // namespace

std::shared_ptr<nn::Module> scaled_linear(std::int64_t in_features,
                                          std::int64_t out_features) {
  return std::make_shared<ScaledLinear>(in_features, out_features);
}
