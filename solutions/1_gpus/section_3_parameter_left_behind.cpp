// SPDX-License-Identifier: MIT
// A module can move, save and train what it knows of, and it learns of a tensor by register_parameter(). That gives
// back the very tensor that it keeps, and this is the one to keep beside it: to(device) lets it have other memory and
// leaves it the tensor that it is, so the member, the optimiser and the state dictionary all see the same values,
// wherever these are. forward() then never asks where it runs; its operands share a device because they moved together.
#include "exercise.h"

using namespace d2l;

namespace {

class ScaledLinear : public nn::Module {
 public:
  ScaledLinear(std::int64_t in_features, std::int64_t out_features)
      : linear_(register_module("linear", nn::Linear(in_features, out_features))),
        scale_(register_parameter("scale", ones({out_features}))) {}

  Tensor forward(const Tensor& input) override { return linear_->forward(input) * scale_; }

 private:
  std::shared_ptr<nn::LinearImpl> linear_;
  Tensor scale_;
};

}  // namespace

std::shared_ptr<nn::Module> scaled_linear(std::int64_t in_features, std::int64_t out_features) {
  return std::make_shared<ScaledLinear>(in_features, out_features);
}
