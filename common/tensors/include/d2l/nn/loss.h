// SPDX-License-Identifier: MIT
/// @file
/// Losses: the distance of a prediction from its target, by default as one number.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

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

/// The options of L1Loss.
using L1LossOptions = MSELossOptions;

/// The options of SmoothL1Loss.
class SmoothL1LossOptions {
 public:
  /// The mean, and a beta of 1.
  SmoothL1LossOptions() = default;
  /// kMean, kSum or kNone, or "mean", "sum" or "none".
  template <std::convertible_to<LossReduction> R>
  SmoothL1LossOptions(const R& reduction) : reduction_(reduction) {}  // NOLINT(google-explicit-constructor)
  /// The reduction; ValueError for an unknown name.
  SmoothL1LossOptions& reduction(LossReduction reduction) {
    reduction_ = reduction;
    return *this;
  }
  /// The difference from which the loss is linear.
  SmoothL1LossOptions& beta(double beta) {
    beta_ = beta;
    return *this;
  }
  /// The reduction.
  [[nodiscard]] Reduction::Reduction reduction() const noexcept { return reduction_.kind(); }
  /// The difference from which the loss is linear; by default 1.
  [[nodiscard]] double beta() const noexcept { return beta_; }

 private:
  LossReduction reduction_ = kMean;
  double beta_ = 1;
};

/// The options of HuberLoss.
class HuberLossOptions {
 public:
  /// The mean, and a delta of 1.
  HuberLossOptions() = default;
  /// kMean, kSum or kNone, or "mean", "sum" or "none".
  template <std::convertible_to<LossReduction> R>
  HuberLossOptions(const R& reduction) : reduction_(reduction) {}  // NOLINT(google-explicit-constructor)
  /// The reduction; ValueError for an unknown name.
  HuberLossOptions& reduction(LossReduction reduction) {
    reduction_ = reduction;
    return *this;
  }
  /// The difference from which the loss is linear.
  HuberLossOptions& delta(double delta) {
    delta_ = delta;
    return *this;
  }
  /// The reduction.
  [[nodiscard]] Reduction::Reduction reduction() const noexcept { return reduction_.kind(); }
  /// The difference from which the loss is linear; by default 1.
  [[nodiscard]] double delta() const noexcept { return delta_; }

 private:
  LossReduction reduction_ = kMean;
  double delta_ = 1;
};

/// The options of BCEWithLogitsLoss.
class BCEWithLogitsLossOptions {
 public:
  /// The reduction; ValueError for an unknown name.
  BCEWithLogitsLossOptions& reduction(LossReduction reduction) {
    reduction_ = reduction;
    return *this;
  }
  /// A factor of each loss, which broadcasts to the input.
  BCEWithLogitsLossOptions& weight(Tensor weight) {
    weight_ = std::move(weight);
    return *this;
  }
  /// A factor of the losses of positive targets, which broadcasts to the input.
  BCEWithLogitsLossOptions& pos_weight(Tensor weight) {
    pos_weight_ = std::move(weight);
    return *this;
  }
  /// The reduction.
  [[nodiscard]] Reduction::Reduction reduction() const noexcept { return reduction_.kind(); }
  /// A factor of each loss; undefined by default.
  [[nodiscard]] const Tensor& weight() const noexcept { return weight_; }
  /// A factor of the losses of positive targets; undefined by default.
  [[nodiscard]] const Tensor& pos_weight() const noexcept { return pos_weight_; }

 private:
  LossReduction reduction_ = kMean;
  Tensor weight_;
  Tensor pos_weight_;
};

/// The options of NLLLoss.
class NLLLossOptions {
 public:
  /// The reduction; ValueError for an unknown name.
  NLLLossOptions& reduction(LossReduction reduction) {
    reduction_ = reduction;
    return *this;
  }
  /// Targets of this class are ignored.
  NLLLossOptions& ignore_index(std::int64_t index) {
    ignore_index_ = index;
    return *this;
  }
  /// A factor of the losses of each class, (C).
  NLLLossOptions& weight(Tensor weight) {
    weight_ = std::move(weight);
    return *this;
  }
  /// The reduction.
  [[nodiscard]] Reduction::Reduction reduction() const noexcept { return reduction_.kind(); }
  /// Targets of this class are ignored; by default -100.
  [[nodiscard]] std::int64_t ignore_index() const noexcept { return ignore_index_; }
  /// A factor of the losses of each class; undefined by default.
  [[nodiscard]] const Tensor& weight() const noexcept { return weight_; }

 private:
  LossReduction reduction_ = kMean;
  std::int64_t ignore_index_ = -100;
  Tensor weight_;
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
  /// A factor of the losses of each class, (C).
  CrossEntropyLossOptions& weight(Tensor weight) {
    weight_ = std::move(weight);
    return *this;
  }
  /// The part of each target's probability that is spread over all classes evenly, from 0 to 1.
  CrossEntropyLossOptions& label_smoothing(double part) {
    label_smoothing_ = part;
    return *this;
  }
  /// The reduction.
  [[nodiscard]] Reduction::Reduction reduction() const noexcept { return reduction_.kind(); }
  /// Targets of this class are ignored; by default -100.
  [[nodiscard]] std::int64_t ignore_index() const noexcept { return ignore_index_; }
  /// A factor of the losses of each class; undefined by default.
  [[nodiscard]] const Tensor& weight() const noexcept { return weight_; }
  /// The part of each target's probability that is spread over all classes evenly; by default 0.
  [[nodiscard]] double label_smoothing() const noexcept { return label_smoothing_; }

 private:
  LossReduction reduction_ = kMean;
  std::int64_t ignore_index_ = -100;
  Tensor weight_;
  double label_smoothing_ = 0;
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

/// |input − target| of each element, by default averaged.
class L1LossImpl : public Module {
 public:
  /// A loss with these options.
  explicit L1LossImpl(const L1LossOptions& chosen = {}) : options(chosen) {}
  using Module::forward;
  /// The loss; shapes and errors as l1_loss().
  Tensor forward(const Tensor& input, const Tensor& target) const {
    return l1_loss(input, target, options.reduction());
  }
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  L1LossOptions options;  ///< as given
};
/// Holds an L1LossImpl: `nn::L1Loss()`.
D2L_MODULE(L1Loss);

/// A parabola up to a difference of beta, and linear beyond; see smooth_l1_loss().
class SmoothL1LossImpl : public Module {
 public:
  /// A loss with these options.
  explicit SmoothL1LossImpl(const SmoothL1LossOptions& chosen = {}) : options(chosen) {}
  using Module::forward;
  /// The loss; shapes and errors as smooth_l1_loss().
  Tensor forward(const Tensor& input, const Tensor& target) const {
    return smooth_l1_loss(input, target, options.reduction(), options.beta());
  }
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  SmoothL1LossOptions options;  ///< as given
};
/// Holds a SmoothL1LossImpl: `nn::SmoothL1Loss()`.
D2L_MODULE(SmoothL1Loss);

/// A parabola up to a difference of delta, and linear beyond; see huber_loss().
class HuberLossImpl : public Module {
 public:
  /// A loss with these options.
  explicit HuberLossImpl(const HuberLossOptions& chosen = {}) : options(chosen) {}
  using Module::forward;
  /// The loss; shapes and errors as huber_loss().
  Tensor forward(const Tensor& input, const Tensor& target) const {
    return huber_loss(input, target, options.reduction(), options.delta());
  }
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  HuberLossOptions options;  ///< as given
};
/// Holds a HuberLossImpl: `nn::HuberLoss()`.
D2L_MODULE(HuberLoss);

/// The cross entropy of probabilities σ(input); see binary_cross_entropy_with_logits(). The weights are buffers.
class BCEWithLogitsLossImpl : public Module {
 public:
  /// A loss with these options.
  explicit BCEWithLogitsLossImpl(const BCEWithLogitsLossOptions& chosen = {});
  using Module::forward;
  /// The loss; shapes and errors as binary_cross_entropy_with_logits().
  Tensor forward(const Tensor& input, const Tensor& target) const {
    return binary_cross_entropy_with_logits(input, target, weight, pos_weight, options.reduction());
  }
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  BCEWithLogitsLossOptions options;  ///< as given
  Tensor weight;                     ///< a factor of each loss; may be undefined
  Tensor pos_weight;                 ///< a factor of the losses of positive targets; may be undefined
};
/// Holds a BCEWithLogitsLossImpl: `nn::BCEWithLogitsLoss()`.
D2L_MODULE(BCEWithLogitsLoss);

/// −input at the target's class, by default averaged; see nll_loss(). The weight is a buffer.
class NLLLossImpl : public Module {
 public:
  /// A loss with these options.
  explicit NLLLossImpl(const NLLLossOptions& chosen = {});
  using Module::forward;
  /// The loss; shapes and errors as nll_loss().
  Tensor forward(const Tensor& input, const Tensor& target) const {
    return nll_loss(input, target, weight, options.reduction(), options.ignore_index());
  }
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  NLLLossOptions options;  ///< as given
  Tensor weight;           ///< a factor of the losses of each class; may be undefined
};
/// Holds an NLLLossImpl: `nn::NLLLoss()`.
D2L_MODULE(NLLLoss);

/// -log softmax(input) at the target's class, by default averaged; see cross_entropy_loss(). The weight is a buffer.
class CrossEntropyLossImpl : public Module {
 public:
  /// A loss with these options.
  explicit CrossEntropyLossImpl(const CrossEntropyLossOptions& chosen = {});
  using Module::forward;
  /// The loss; shapes and errors as cross_entropy_loss().
  Tensor forward(const Tensor& input, const Tensor& target) const {
    return cross_entropy_loss(input, target, weight, options.reduction(), options.ignore_index(),
                              options.label_smoothing());
  }
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  CrossEntropyLossOptions options;  ///< as given
  Tensor weight;                    ///< a factor of the losses of each class; may be undefined
};
/// Holds a CrossEntropyLossImpl: `nn::CrossEntropyLoss()`.
D2L_MODULE(CrossEntropyLoss);

}  // namespace nn
}  // namespace d2l
