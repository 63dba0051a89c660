// SPDX-License-Identifier: MIT
// A module can move, save and train the tensors that it knows, and it knows those that
// were passed to register_parameter(). This function returns the very tensor that the
// module keeps. Use that one as the member. to(device) gives it new memory, but it
// stays the same tensor. So the member, the optimizer and the state dictionary always
// see the same values on the same device. forward() does not have to check where it
// runs: its operands are on the same device because they moved together.
#include "exercise.h"

using namespace d2l;

namespace {

class ScaledLinear : public nn::Module {
 public:
  ScaledLinear(std::int64_t in_features, std::int64_t out_features)
      : linear_(register_module("linear", nn::Linear(in_features, out_features))),
        scale_(register_parameter("scale", ones({out_features}))) {}

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
