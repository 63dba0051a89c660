// SPDX-License-Identifier: MIT
/// @file
/// RMSprop: steps divided by the root of the average square of the gradient.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "d2l/optim/optimizer.h"

namespace d2l::optim {

/// The options of RMSprop.
class RMSpropOptions : public OptimizerOptions {
 public:
  /// The defaults of PyTorch, with this learning rate.
  RMSpropOptions(double lr = 1e-2) : lr_(lr) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] std::unique_ptr<OptimizerOptions> clone() const override;
  [[nodiscard]] double get_lr() const override { return lr_; }
  void set_lr(double lr) override { lr_ = lr; }
  [[nodiscard]] OptionValues values() const override;
  void set_values(const OptionValues& values) override;

  ///@{
  /// The learning rate: about the length of a step; by default 0.01.
  D2L_OPTIMIZER_OPTION(RMSpropOptions, double, lr)
  ///@}
  ///@{
  /// The part of the averages that a step keeps; by default 0.99.
  D2L_OPTIMIZER_OPTION(RMSpropOptions, double, alpha)
  ///@}
  ///@{
  /// What is added to the root of the average; by default 1e-8.
  D2L_OPTIMIZER_OPTION(RMSpropOptions, double, eps)
  ///@}
  ///@{
  /// The part of the parameter that is added to its gradient; by default 0.
  D2L_OPTIMIZER_OPTION(RMSpropOptions, double, weight_decay)
  ///@}
  ///@{
  /// The part of the previous step that is added to this one; by default 0.
  D2L_OPTIMIZER_OPTION(RMSpropOptions, double, momentum)
  ///@}
  ///@{
  /// Whether the variance of the gradient is used in place of its average square; by default false.
  D2L_OPTIMIZER_OPTION(RMSpropOptions, bool, centered)
  ///@}

 private:
  template <class Self, class Visit>
  static void each(Self& self, const Visit& visit);

  double lr_;
  double alpha_ = 0.99;
  double eps_ = 1e-8;
  double weight_decay_ = 0;
  double momentum_ = 0;
  bool centered_ = false;
};

/// RMSprop, as in PyTorch: g ← grad + weight_decay × p; v ← alpha × v + (1 − alpha) × g²; p ← p − lr × g / (√v + eps).
/// With momentum, b ← momentum × b + g / (√v + eps) and p ← p − lr × b; if centred, v − m² is used in place of v, with
/// m ← alpha × m + (1 − alpha) × g. The state of a parameter is "square_avg" (v), and if used "momentum_buffer" (b) and
/// "grad_avg" (m). A step is one kernel for each parameter.
class RMSprop : public Optimizer {
 public:
  ///@{
  /// Optimizes parameters or groups of them. ValueError for invalid options; errors of add_param_group().
  explicit RMSprop(std::vector<Tensor> params, const RMSpropOptions& defaults = {});
  explicit RMSprop(std::vector<OptimizerParamGroup> groups, const RMSpropOptions& defaults = {});
  ///@}

  void step() override;
  [[nodiscard]] std::string name() const override { return "RMSprop"; }
  [[nodiscard]] std::string str() const override;

 protected:
  void check(const OptimizerOptions& options) const override;
  [[nodiscard]] std::vector<std::string> state_names() const override;
};

}  // namespace d2l::optim
