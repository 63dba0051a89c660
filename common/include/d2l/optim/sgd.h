// SPDX-License-Identifier: MIT
/// @file
/// SGD: stochastic gradient descent.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "d2l/optim/optimizer.h"

namespace d2l::optim {

/// How SGD changes parameters.
class SGDOptions : public OptimizerOptions {
 public:
  /// Steps of `lr` times the gradient, and nothing else.
  SGDOptions(double lr) : lr_(lr) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] std::unique_ptr<OptimizerOptions> clone() const override { return std::make_unique<SGDOptions>(*this); }
  [[nodiscard]] double get_lr() const override { return lr_; }
  void set_lr(double lr) override { lr_ = lr; }

#define D2L_OPTION(type, option)       \
  SGDOptions& option(type value) {     \
    option##_ = value;                 \
    return *this;                      \
  }                                    \
  type& option() { return option##_; } \
  [[nodiscard]] const type& option() const { return option##_; }
  ///@{
  /// How far a step goes.
  D2L_OPTION(double, lr)
  ///@}
  ///@{
  /// How much of the step before is taken again.
  D2L_OPTION(double, momentum)
  ///@}
  ///@{
  /// How much less a gradient adds to it.
  D2L_OPTION(double, dampening)
  ///@}
  ///@{
  /// How much of the parameter is added to its gradient.
  D2L_OPTION(double, weight_decay)
  ///@}
  ///@{
  /// Whether the gradient is looked at where momentum leads.
  D2L_OPTION(bool, nesterov)
  ///@}
#undef D2L_OPTION

 private:
  double lr_;
  double momentum_ = 0;
  double dampening_ = 0;
  double weight_decay_ = 0;
  bool nesterov_ = false;
};

/// Stochastic gradient descent, as PyTorch has it:
/// g ← grad + weight_decay × p; b ← momentum × b + (1 − dampening) × g; p ← p − lr × b.
class SGD : public Optimizer {
 public:
  ///@{
  /// Of parameters, or of groups of them; ValueError for options that make no sense, and where add_param_group() says
  /// so.
  SGD(std::vector<Tensor> params, const SGDOptions& defaults);
  SGD(std::vector<OptimizerParamGroup> groups, const SGDOptions& defaults);
  ///@}

  void step() override;
  [[nodiscard]] std::string str() const override;
  /// What momentum remembers of a parameter, on that parameter's device; undefined before its first step.
  [[nodiscard]] Tensor momentum_buffer(const Tensor& parameter);

 protected:
  void check(const OptimizerOptions& options) const override;

 private:
  /// What momentum remembers, and of which parameter.
  struct Memory {
    std::shared_ptr<detail::TensorImpl> parameter;
    Tensor buffer;
  };
  Tensor& buffer_of(const Tensor& parameter, std::size_t group, std::size_t number);
  void arrange(std::size_t group);

  std::vector<std::vector<Memory>> memories_;  // in the order of param_groups()
};

}  // namespace d2l::optim
