// SPDX-License-Identifier: MIT
/// @file
/// Losses: how far a prediction is from its target, as one number unless asked otherwise.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>

#include "d2l/nn/module_holder.h"
#include "d2l/ops.h"

namespace d2l {

inline constexpr auto kNone = Reduction::None;  ///< one loss an element
inline constexpr auto kMean = Reduction::Mean;  ///< the mean of the losses
inline constexpr auto kSum = Reduction::Sum;    ///< the sum of the losses

namespace nn {

/// What becomes of the losses of all elements: kMean, kSum or kNone, or their names in Python.
class LossReduction {
 public:
  /// kMean, kSum or kNone.
  LossReduction(Reduction::Reduction kind) : kind_(kind) {}  // NOLINT(google-explicit-constructor)
  ///@{
  /// "mean", "sum" or "none"; ValueError for anything else.
  LossReduction(const std::string& name);                                // NOLINT(google-explicit-constructor)
  LossReduction(const char* name) : LossReduction(std::string(name)) {}  // NOLINT(google-explicit-constructor)
  ///@}
  /// Which of them it is.
  [[nodiscard]] Reduction::Reduction kind() const noexcept { return kind_; }

 private:
  Reduction::Reduction kind_;
};

/// How MSELoss turns its elements into its result.
class MSELossOptions {
 public:
  /// Their mean.
  MSELossOptions() = default;
  /// kMean, kSum or kNone, or "mean", "sum" or "none".
  template <std::convertible_to<LossReduction> R>
  MSELossOptions(const R& reduction) : reduction_(reduction) {}  // NOLINT(google-explicit-constructor)
  /// How the elements become the result; ValueError for a name that is none.
  MSELossOptions& reduction(LossReduction reduction) {
    reduction_ = reduction;
    return *this;
  }
  /// How the elements become the result.
  [[nodiscard]] Reduction::Reduction reduction() const noexcept { return reduction_.kind(); }

 private:
  LossReduction reduction_ = kMean;
};

/// How CrossEntropyLoss turns its elements into its result, and what it leaves out.
class CrossEntropyLossOptions {
 public:
  /// How the elements become the result; ValueError for a name that is none.
  CrossEntropyLossOptions& reduction(LossReduction reduction) {
    reduction_ = reduction;
    return *this;
  }
  /// Targets of this class do not count.
  CrossEntropyLossOptions& ignore_index(std::int64_t index) {
    ignore_index_ = index;
    return *this;
  }
  /// How the elements become the result.
  [[nodiscard]] Reduction::Reduction reduction() const noexcept { return reduction_.kind(); }
  /// Targets of this class do not count; -100 unless said.
  [[nodiscard]] std::int64_t ignore_index() const noexcept { return ignore_index_; }

 private:
  LossReduction reduction_ = kMean;
  std::int64_t ignore_index_ = -100;
};

/// (input - target)² of each element, averaged unless asked otherwise.
class MSELossImpl : public Module {
 public:
  /// Of the given options.
  explicit MSELossImpl(const MSELossOptions& chosen = {}) : options(chosen) {}
  using Module::forward;
  /// The loss; shapes and errors as mse_loss().
  Tensor forward(const Tensor& input, const Tensor& target) const;
  [[nodiscard]] std::shared_ptr<Module> clone() const override { return std::make_shared<MSELossImpl>(options); }

  MSELossOptions options;  ///< how the elements become the result
};
/// Holds an MSELossImpl: `nn::MSELoss()`.
D2L_MODULE(MSELoss);

/// -log softmax(input) at the target's class, averaged unless asked otherwise; see cross_entropy_loss.
class CrossEntropyLossImpl : public Module {
 public:
  /// Of the given options.
  explicit CrossEntropyLossImpl(const CrossEntropyLossOptions& chosen = {}) : options(chosen) {}
  using Module::forward;
  /// The loss; shapes and errors as cross_entropy_loss().
  Tensor forward(const Tensor& input, const Tensor& target) const;
  [[nodiscard]] std::shared_ptr<Module> clone() const override {
    return std::make_shared<CrossEntropyLossImpl>(options);
  }

  CrossEntropyLossOptions options;  ///< how the elements become the result, and what does not count
};
/// Holds a CrossEntropyLossImpl: `nn::CrossEntropyLoss()`.
D2L_MODULE(CrossEntropyLoss);

}  // namespace nn
}  // namespace d2l
