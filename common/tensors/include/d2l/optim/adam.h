// SPDX-License-Identifier: MIT
/// @file
/// Adam and AdamW: steps scaled by averages of the gradient and of its square.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "d2l/optim/optimizer.h"

namespace d2l::detail {

/// The options of Adam and of AdamW.
template <class Options>
class AdamOptionsOf : public optim::OptimizerOptions {
 public:
  using betas_t = std::tuple<double, double>;  ///< the type of betas()

  [[nodiscard]] std::unique_ptr<optim::OptimizerOptions> clone() const override;
  [[nodiscard]] double get_lr() const override { return lr_; }
  void set_lr(double lr) override { lr_ = lr; }
  [[nodiscard]] optim::OptionValues values() const override;
  void set_values(const optim::OptionValues& values) override;

  ///@{
  /// The learning rate: about the length of a step; by default 0.001.
  D2L_OPTIMIZER_OPTION(Options, double, lr)
  ///@}
  ///@{
  /// The parts of the averages of the gradient and of its square that a step keeps; by default 0.9 and 0.999.
  D2L_OPTIMIZER_OPTION(Options, betas_t, betas)
  ///@}
  ///@{
  /// What is added to the root of the square's average; by default 1e-8.
  D2L_OPTIMIZER_OPTION(Options, double, eps)
  ///@}
  ///@{
  /// Adam: the part of the parameter that is added to its gradient, by default 0. AdamW: a step first takes `lr` times
  /// this part off the parameter, by default 0.01.
  D2L_OPTIMIZER_OPTION(Options, double, weight_decay)
  ///@}
  ///@{
  /// Whether the largest average of the square so far is used; by default false.
  D2L_OPTIMIZER_OPTION(Options, bool, amsgrad)
  ///@}

 protected:
  /// With this learning rate and weight decay.
  AdamOptionsOf(double lr, double weight_decay) : lr_(lr), weight_decay_(weight_decay) {}

 private:
  template <class Self, class Visit>
  static void each(Self& self, const Visit& visit);

  double lr_;
  betas_t betas_{0.9, 0.999};
  double eps_ = 1e-8;
  double weight_decay_;
  bool amsgrad_ = false;
};

}  // namespace d2l::detail

namespace d2l::optim {

/// The options of Adam.
class AdamOptions : public detail::AdamOptionsOf<AdamOptions> {
 public:
  /// The defaults of PyTorch, with this learning rate.
  AdamOptions(double lr = 1e-3) : AdamOptionsOf(lr, 0) {}  // NOLINT(google-explicit-constructor)
};

/// The options of AdamW.
class AdamWOptions : public detail::AdamOptionsOf<AdamWOptions> {
 public:
  /// The defaults of PyTorch, with this learning rate.
  AdamWOptions(double lr = 1e-3) : AdamOptionsOf(lr, 1e-2) {}  // NOLINT(google-explicit-constructor)
};

/// Adam (Kingma and Ba, 2015), as in PyTorch, with t the number of the step: g ← grad + weight_decay × p;
/// m ← β₁ × m + (1 − β₁) × g; v ← β₂ × v + (1 − β₂) × g²; p ← p − lr × m̂ / (√v̂ + eps), with m̂ = m / (1 − β₁ᵗ) and
/// v̂ = v / (1 − β₂ᵗ). The state of a parameter is "exp_avg" (m), "exp_avg_sq" (v) and, with amsgrad, "max_exp_avg_sq".
/// A step is one kernel for each parameter.
class Adam : public Optimizer {
 public:
  ///@{
  /// Optimizes parameters or groups of them. ValueError for invalid options; errors of add_param_group().
  explicit Adam(std::vector<Tensor> params, const AdamOptions& defaults = {});
  explicit Adam(std::vector<OptimizerParamGroup> groups, const AdamOptions& defaults = {});
  ///@}

  void step() override;
  [[nodiscard]] std::string name() const override { return "Adam"; }
  [[nodiscard]] std::string str() const override;

 protected:
  void check(const OptimizerOptions& options) const override;
  [[nodiscard]] std::vector<std::string> state_names() const override;
};

/// AdamW (Loshchilov and Hutter, 2019): Adam, except that a step multiplies the parameter by 1 − lr × weight_decay and
/// leaves the gradient as it is.
class AdamW : public Optimizer {
 public:
  ///@{
  /// Optimizes parameters or groups of them. ValueError for invalid options; errors of add_param_group().
  explicit AdamW(std::vector<Tensor> params, const AdamWOptions& defaults = {});
  explicit AdamW(std::vector<OptimizerParamGroup> groups, const AdamWOptions& defaults = {});
  ///@}

  void step() override;
  [[nodiscard]] std::string name() const override { return "AdamW"; }
  [[nodiscard]] std::string str() const override;

 protected:
  void check(const OptimizerOptions& options) const override;
  [[nodiscard]] std::vector<std::string> state_names() const override;
};

}  // namespace d2l::optim
