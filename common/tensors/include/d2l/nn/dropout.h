// SPDX-License-Identifier: MIT
/// @file
/// Dropout: sets random elements to zero while a model is trained.
#pragma once

#include <memory>
#include <string>

#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// The options of Dropout.
class DropoutOptions {
 public:
  /// `p` is the probability that an element becomes 0.
  DropoutOptions(double p = 0.5) : p_(p) {}  // NOLINT(google-explicit-constructor)
  /// The probability that an element becomes 0.
  DropoutOptions& p(double p) {
    p_ = p;
    return *this;
  }
  /// Whether the result is written into the input.
  DropoutOptions& inplace(bool inplace) {
    inplace_ = inplace;
    return *this;
  }
  /// The probability that an element becomes 0.
  [[nodiscard]] double p() const noexcept { return p_; }
  /// Whether the result is written into the input.
  [[nodiscard]] bool inplace() const noexcept { return inplace_; }

 private:
  double p_;
  bool inplace_ = false;
};

/// In training mode each element becomes 0 with probability p, and the others are divided by 1 − p; in evaluation mode
/// the input is returned as it is.
class DropoutImpl : public Module {
 public:
  /// A layer with these options; ValueError for a probability outside [0, 1].
  explicit DropoutImpl(const DropoutOptions& chosen = {});

  /// Of the input's shape; the random numbers are those of rand(). TypeError in training mode unless floating point.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  DropoutOptions options;  ///< as given
};
/// Holds a DropoutImpl: `nn::Dropout(0.5)`.
D2L_MODULE(Dropout);

namespace functional {

/// The options of dropout().
class DropoutFuncOptions {
 public:
  /// The probability that an element becomes 0; by default 0.5.
  DropoutFuncOptions& p(double p) {
    p_ = p;
    return *this;
  }
  /// Whether elements become 0 at all; by default true.
  DropoutFuncOptions& training(bool training) {
    training_ = training;
    return *this;
  }
  /// Whether the result is written into the input; by default false.
  DropoutFuncOptions& inplace(bool inplace) {
    inplace_ = inplace;
    return *this;
  }
  /// The probability that an element becomes 0.
  [[nodiscard]] double p() const noexcept { return p_; }
  /// Whether elements become 0 at all.
  [[nodiscard]] bool training() const noexcept { return training_; }
  /// Whether the result is written into the input.
  [[nodiscard]] bool inplace() const noexcept { return inplace_; }

 private:
  double p_ = 0.5;
  bool training_ = true;
  bool inplace_ = false;
};

/// What Dropout computes in training mode, or the input if training is off; ValueError for a probability outside [0,
/// 1], TypeError in training mode unless floating point.
Tensor dropout(const Tensor& input, const DropoutFuncOptions& options = {});

}  // namespace functional
}  // namespace d2l::nn
