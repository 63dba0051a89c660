// SPDX-License-Identifier: MIT
// ReLU as a layer.
#pragma once

#include <memory>
#include <string>

#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// Whether the input itself is written.
class ReLUOptions {
 public:
  ReLUOptions(bool inplace = false) : inplace_(inplace) {}  // NOLINT(google-explicit-constructor)
  ReLUOptions& inplace(bool inplace) {
    inplace_ = inplace;
    return *this;
  }
  [[nodiscard]] bool inplace() const noexcept { return inplace_; }

 private:
  bool inplace_;
};

/// max(x, 0) of each element.
class ReLUImpl : public Module {
 public:
  explicit ReLUImpl(const ReLUOptions& chosen = {}) : options(chosen) {}

  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override { return options.inplace() ? "inplace=True" : ""; }
  [[nodiscard]] std::shared_ptr<Module> clone() const override { return std::make_shared<ReLUImpl>(options); }

  ReLUOptions options;
};
D2L_MODULE(ReLU);

}  // namespace d2l::nn
