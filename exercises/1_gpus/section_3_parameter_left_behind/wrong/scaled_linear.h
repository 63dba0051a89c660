// SPDX-License-Identifier: MIT
// The layer that the wrong solutions share. Each of them makes its own mistake with the scale.
#pragma once

#include "exercise.h"

namespace d2l {

/// The layer, with the scale that `scale_of(layer, ones)` returns.
class ScaledLinear : public nn::Module {
 public:
  template <class ScaleOf>
  ScaledLinear(std::int64_t in_features, std::int64_t out_features, const ScaleOf& scale_of)
      : linear_(register_module("linear", nn::Linear(in_features, out_features))),
        scale_(scale_of(*this, ones({out_features}))) {}

  Tensor forward(const Tensor& input) override { return linear_->forward(input) * scale_; }

 protected:
  std::shared_ptr<nn::LinearImpl> linear_;
  Tensor scale_;
};

}  // namespace d2l
