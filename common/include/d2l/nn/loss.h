// SPDX-License-Identifier: MIT
// Losses: how far a prediction is from its target, as one number unless asked otherwise.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>

#include "d2l/nn/module_holder.h"
#include "d2l/ops.h"

namespace d2l {

inline constexpr auto kNone = Reduction::None;
inline constexpr auto kMean = Reduction::Mean;
inline constexpr auto kSum = Reduction::Sum;

namespace nn {

/// What becomes of the losses of all elements: kMean, kSum or kNone, or their names in Python.
class LossReduction {
 public:
  LossReduction(Reduction::Reduction kind) : kind_(kind) {}  // NOLINT(google-explicit-constructor)
  /// "mean", "sum" or "none"; ValueError for anything else.
  LossReduction(const std::string& name);                                // NOLINT(google-explicit-constructor)
  LossReduction(const char* name) : LossReduction(std::string(name)) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] Reduction::Reduction kind() const noexcept { return kind_; }

 private:
  Reduction::Reduction kind_;
};

class MSELossOptions {
 public:
  MSELossOptions() = default;
  template <std::convertible_to<LossReduction> R>
  MSELossOptions(const R& reduction) : reduction_(reduction) {}  // NOLINT(google-explicit-constructor)
  MSELossOptions& reduction(LossReduction reduction) {
    reduction_ = reduction;
    return *this;
  }
  [[nodiscard]] Reduction::Reduction reduction() const noexcept { return reduction_.kind(); }

 private:
  LossReduction reduction_ = kMean;
};

class CrossEntropyLossOptions {
 public:
  CrossEntropyLossOptions& reduction(LossReduction reduction) {
    reduction_ = reduction;
    return *this;
  }
  /// Targets of this class do not count.
  CrossEntropyLossOptions& ignore_index(std::int64_t index) {
    ignore_index_ = index;
    return *this;
  }
  [[nodiscard]] Reduction::Reduction reduction() const noexcept { return reduction_.kind(); }
  [[nodiscard]] std::int64_t ignore_index() const noexcept { return ignore_index_; }

 private:
  LossReduction reduction_ = kMean;
  std::int64_t ignore_index_ = -100;
};

/// (input - target)² of each element, averaged unless asked otherwise.
class MSELossImpl : public Module {
 public:
  explicit MSELossImpl(const MSELossOptions& chosen = {}) : options(chosen) {}
  using Module::forward;
  Tensor forward(const Tensor& input, const Tensor& target) const;
  [[nodiscard]] std::shared_ptr<Module> clone() const override { return std::make_shared<MSELossImpl>(options); }

  MSELossOptions options;
};
D2L_MODULE(MSELoss);

/// -log softmax(input) at the target's class, averaged unless asked otherwise; see cross_entropy_loss.
class CrossEntropyLossImpl : public Module {
 public:
  explicit CrossEntropyLossImpl(const CrossEntropyLossOptions& chosen = {}) : options(chosen) {}
  using Module::forward;
  Tensor forward(const Tensor& input, const Tensor& target) const;
  [[nodiscard]] std::shared_ptr<Module> clone() const override {
    return std::make_shared<CrossEntropyLossImpl>(options);
  }

  CrossEntropyLossOptions options;
};
D2L_MODULE(CrossEntropyLoss);

}  // namespace nn
}  // namespace d2l
