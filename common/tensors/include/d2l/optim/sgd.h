// SPDX-License-Identifier: MIT
/// @file
/// SGD: stochastic gradient descent.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "d2l/optim/optimizer.h"

namespace d2l::optim {

/// The options of SGD.
class SGDOptions : public OptimizerOptions {
 public:
  /// Plain SGD: a step is `lr` times the gradient.
  SGDOptions(double lr) : lr_(lr) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] std::unique_ptr<OptimizerOptions> clone() const override;
  [[nodiscard]] double get_lr() const override { return lr_; }
  void set_lr(double lr) override { lr_ = lr; }
  [[nodiscard]] OptionValues values() const override;
  void set_values(const OptionValues& values) override;

  ///@{
  /// The learning rate: the length of a step.
  D2L_OPTIMIZER_OPTION(SGDOptions, double, lr)
  ///@}
  ///@{
  /// The part of the previous step that is added to this one.
  D2L_OPTIMIZER_OPTION(SGDOptions, double, momentum)
  ///@}
  ///@{
  /// The part of a gradient that is not added to the momentum.
  D2L_OPTIMIZER_OPTION(SGDOptions, double, dampening)
  ///@}
  ///@{
  /// The part of the parameter that is added to its gradient.
  D2L_OPTIMIZER_OPTION(SGDOptions, double, weight_decay)
  ///@}
  ///@{
  /// Whether Nesterov momentum is used.
  D2L_OPTIMIZER_OPTION(SGDOptions, bool, nesterov)
  ///@}

 private:
  template <class Self, class Visit>
  static void each(Self& self, const Visit& visit);

  double lr_;
  double momentum_ = 0;
  double dampening_ = 0;
  double weight_decay_ = 0;
  bool nesterov_ = false;
};

/// Stochastic gradient descent, as in PyTorch:
/// g ← grad + weight_decay × p; b ← momentum × b + (1 − dampening) × g; p ← p − lr × b.
class SGD : public Optimizer {
 public:
  ///@{
  /// Optimizes parameters or groups of them. ValueError for invalid options; errors of add_param_group().
  SGD(std::vector<Tensor> params, const SGDOptions& defaults);
  SGD(std::vector<OptimizerParamGroup> groups, const SGDOptions& defaults);
  ///@}

  void step() override;
  [[nodiscard]] std::string name() const override { return "SGD"; }
  [[nodiscard]] std::string str() const override;
  /// The momentum buffer of a parameter, on its device; undefined before the first step.
  [[nodiscard]] Tensor momentum_buffer(const Tensor& parameter);

 protected:
  void check(const OptimizerOptions& options) const override;
  [[nodiscard]] std::vector<std::string> state_names() const override { return {"momentum_buffer"}; }
};

}  // namespace d2l::optim
