// SPDX-License-Identifier: MIT
// Multiplies the weight by the scale once for evaluation, where nothing is trained: right until the parameters change.
// Fails: moved: off by
#include "exercise.h"

using namespace d2l;

namespace {

class EvaluatedLinear : public nn::Module {
 public:
  EvaluatedLinear(std::int64_t in_features, std::int64_t out_features)
      : linear_(register_module("linear", nn::Linear(in_features, out_features))),
        scale_(register_parameter("scale", ones({out_features}))) {}

  Tensor forward(const Tensor& input) override {
    if (GradMode::is_enabled()) return linear_->forward(input) * scale_;
    if (!weight_.defined() || weight_.device() != input.device()) {
      weight_ = (linear_->weight * scale_.unsqueeze(1)).t();
      bias_ = linear_->bias * scale_;
    }
    return input.matmul(weight_) + bias_;
  }

 private:
  std::shared_ptr<nn::LinearImpl> linear_;
  Tensor scale_;
  Tensor weight_;
  Tensor bias_;
};

}  // namespace

std::shared_ptr<nn::Module> scaled_linear(std::int64_t in_features, std::int64_t out_features) {
  return std::make_shared<EvaluatedLinear>(in_features, out_features);
}
