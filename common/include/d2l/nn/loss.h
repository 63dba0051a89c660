// SPDX-License-Identifier: MIT
/// @file
/// Losses: the distance of a prediction from its target, by default as one number.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>

#include "d2l/layer_ops.h"
#include "d2l/nn/module_holder.h"

namespace d2l {

inline constexpr auto kNone = Reduction::None;  ///< one loss for each element
inline constexpr auto kMean = Reduction::Mean;  ///< the mean of the losses
inline constexpr auto kSum = Reduction::Sum;    ///< the sum of the losses

namespace nn {

/// The reduction of the losses of all elements: kMean, kSum or kNone, or their Python names.
class LossReduction {
 public:
  /// kMean, kSum or kNone.
  LossReduction(Reduction::Reduction kind) : kind_(kind) {}  // NOLINT(google-explicit-constructor)
  ///@{
  /// "mean", "sum" or "none"; ValueError for anything else.
  LossReduction(const std::string& name);                                // NOLINT(google-explicit-constructor)
  LossReduction(const char* name) : LossReduction(std::string(name)) {}  // NOLINT(google-explicit-constructor)
  ///@}
  /// The reduction.
  [[nodiscard]] Reduction::Reduction kind() const noexcept { return kind_; }

 private:
  Reduction::Reduction kind_;
};

/// The options of MSELoss.
class MSELossOptions {
 public:
  /// The mean.
  MSELossOptions() = default;
  /// kMean, kSum or kNone, or "mean", "sum" or "none".
  template <std::convertible_to<LossReduction> R>
  MSELossOptions(const R& reduction) : reduction_(reduction) {}  // NOLINT(google-explicit-constructor)
  /// The reduction; ValueError for an unknown name.
  MSELossOptions& reduction(LossReduction reduction) {
    reduction_ = reduction;
    return *this;
  }
  /// The reduction.
  [[nodiscard]] Reduction::Reduction reduction() const noexcept { return reduction_.kind(); }

 private:
  LossReduction reduction_ = kMean;
};

/// The options of CrossEntropyLoss.
class CrossEntropyLossOptions {
 public:
  /// The reduction; ValueError for an unknown name.
  CrossEntropyLossOptions& reduction(LossReduction reduction) {
    reduction_ = reduction;
    return *this;
  }
  /// Targets of this class are ignored.
  CrossEntropyLossOptions& ignore_index(std::int64_t index) {
    ignore_index_ = index;
    return *this;
  }
  /// The reduction.
  [[nodiscard]] Reduction::Reduction reduction() const noexcept { return reduction_.kind(); }
  /// Targets of this class are ignored; by default -100.
  [[nodiscard]] std::int64_t ignore_index() const noexcept { return ignore_index_; }

 private:
  LossReduction reduction_ = kMean;
  std::int64_t ignore_index_ = -100;
};

/// (input - target)² of each element, by default averaged.
class MSELossImpl : public Module {
 public:
  /// A loss with these options.
  explicit MSELossImpl(const MSELossOptions& chosen = {}) : options(chosen) {}
  using Module::forward;
  /// The loss; shapes and errors as mse_loss().
  Tensor forward(const Tensor& input, const Tensor& target) const {
    return mse_loss(input, target, options.reduction());
  }
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  MSELossOptions options;  ///< as given
};
/// Holds an MSELossImpl: `nn::MSELoss()`.
D2L_MODULE(MSELoss);

/// -log softmax(input) at the target's class, by default averaged; see cross_entropy_loss.
class CrossEntropyLossImpl : public Module {
 public:
  /// A loss with these options.
  explicit CrossEntropyLossImpl(const CrossEntropyLossOptions& chosen = {}) : options(chosen) {}
  using Module::forward;
  /// The loss; shapes and errors as cross_entropy_loss().
  Tensor forward(const Tensor& input, const Tensor& target) const {
    return cross_entropy_loss(input, target, options.reduction(), options.ignore_index());
  }
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  CrossEntropyLossOptions options;  ///< as given
};
/// Holds a CrossEntropyLossImpl: `nn::CrossEntropyLoss()`.
D2L_MODULE(CrossEntropyLoss);

}  // namespace nn
}  // namespace d2l
