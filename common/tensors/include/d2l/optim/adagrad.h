// SPDX-License-Identifier: MIT
/// @file
/// Adagrad: steps divided by the root of the sum of squares of all gradients.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "d2l/optim/optimizer.h"

namespace d2l::optim {

/// The options of Adagrad.
class AdagradOptions : public OptimizerOptions {
 public:
  /// The defaults of PyTorch, with this learning rate.
  AdagradOptions(double lr = 1e-2) : lr_(lr) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] std::unique_ptr<OptimizerOptions> clone() const override;
  [[nodiscard]] double get_lr() const override { return lr_; }
  void set_lr(double lr) override { lr_ = lr; }
  [[nodiscard]] OptionValues values() const override;
  void set_values(const OptionValues& values) override;

  ///@{
  /// The learning rate of the first step; by default 0.01.
  D2L_OPTIMIZER_OPTION(AdagradOptions, double, lr)
  ///@}
  ///@{
  /// Step t has the learning rate lr / (1 + (t − 1) × lr_decay); by default 0.
  D2L_OPTIMIZER_OPTION(AdagradOptions, double, lr_decay)
  ///@}
  ///@{
  /// The part of the parameter that is added to its gradient; by default 0.
  D2L_OPTIMIZER_OPTION(AdagradOptions, double, weight_decay)
  ///@}
  ///@{
  /// The sum before the first step; by default 0.
  D2L_OPTIMIZER_OPTION(AdagradOptions, double, initial_accumulator_value)
  ///@}
  ///@{
  /// What is added to the root of the sum; by default 1e-10.
  D2L_OPTIMIZER_OPTION(AdagradOptions, double, eps)
  ///@}

 private:
  template <class Self, class Visit>
  static void each(Self& self, const Visit& visit);

  double lr_;
  double lr_decay_ = 0;
  double weight_decay_ = 0;
  double initial_accumulator_value_ = 0;
  double eps_ = 1e-10;
};

/// Adagrad (Duchi, Hazan and Singer, 2011), as in PyTorch: g ← grad + weight_decay × p; s ← s + g²;
/// p ← p − lr × g / (√s + eps), with lr as lr_decay says. The state of a parameter is "sum" (s). A step is one kernel
/// for each parameter.
class Adagrad : public Optimizer {
 public:
  ///@{
  /// Optimizes parameters or groups of them. ValueError for invalid options; errors of add_param_group().
  explicit Adagrad(std::vector<Tensor> params, const AdagradOptions& defaults = {});
  explicit Adagrad(std::vector<OptimizerParamGroup> groups, const AdagradOptions& defaults = {});
  ///@}

  void step() override;
  [[nodiscard]] std::string name() const override { return "Adagrad"; }
  [[nodiscard]] std::string str() const override;

 protected:
  void check(const OptimizerOptions& options) const override;
  [[nodiscard]] std::vector<std::string> state_names() const override { return {"sum"}; }
};

}  // namespace d2l::optim
