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

/// The options of SGD.
class SGDOptions : public OptimizerOptions {
 public:
  /// Plain SGD: a step is `lr` times the gradient.
  SGDOptions(double lr) : lr_(lr) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] std::unique_ptr<OptimizerOptions> clone() const override;
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
  /// The learning rate: the length of a step.
  D2L_OPTION(double, lr)
  ///@}
  ///@{
  /// The part of the previous step that is added to this one.
  D2L_OPTION(double, momentum)
  ///@}
  ///@{
  /// The part of a gradient that is not added to the momentum.
  D2L_OPTION(double, dampening)
  ///@}
  ///@{
  /// The part of the parameter that is added to its gradient.
  D2L_OPTION(double, weight_decay)
  ///@}
  ///@{
  /// Whether Nesterov momentum is used.
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
  [[nodiscard]] std::string str() const override;
  /// The momentum buffer of a parameter, on its device; undefined before the first step.
  [[nodiscard]] Tensor momentum_buffer(const Tensor& parameter);

 protected:
  void check(const OptimizerOptions& options) const override;

 private:
  /// The momentum buffer of a parameter.
  struct MomentumBuffer {
    std::shared_ptr<detail::TensorImpl> parameter;
    Tensor buffer;
  };
  Tensor& buffer_of(const Tensor& parameter, std::size_t group, std::size_t number);
  void arrange(std::size_t group);

  std::vector<std::vector<MomentumBuffer>> buffers_;  // in the order of param_groups()
};

}  // namespace d2l::optim
