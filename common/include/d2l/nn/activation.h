// SPDX-License-Identifier: MIT
/// @file
/// ReLU as a layer.
#pragma once

#include <memory>
#include <string>

#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// The option of ReLU.
class ReLUOptions {
 public:
  /// `inplace` writes the result into the input.
  ReLUOptions(bool inplace = false) : inplace_(inplace) {}  // NOLINT(google-explicit-constructor)
  /// Whether the result is written into the input.
  ReLUOptions& inplace(bool inplace) {
    inplace_ = inplace;
    return *this;
  }
  /// Whether the result is written into the input.
  [[nodiscard]] bool inplace() const noexcept { return inplace_; }

 private:
  bool inplace_;
};

/// max(x, 0) of each element.
class ReLUImpl : public Module {
 public:
  /// A layer with these options.
  explicit ReLUImpl(const ReLUOptions& chosen = {}) : options(chosen) {}

  /// max(x, 0), of the same shape; TypeError for bool.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  ReLUOptions options;  ///< whether the result is written into the input
};
/// Holds a ReLUImpl: `nn::ReLU()`.
D2L_MODULE(ReLU);

}  // namespace d2l::nn
