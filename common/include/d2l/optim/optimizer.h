// SPDX-License-Identifier: MIT
/// @file
/// Optimizer: the base of the optimizers.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "d2l/tensor.h"

/// Optimizers, by the names of LibTorch.
namespace d2l::optim {

/// The options of a group of parameters.
class OptimizerOptions {
 public:
  virtual ~OptimizerOptions() = default;
  /// A copy, of the same class.
  [[nodiscard]] virtual std::unique_ptr<OptimizerOptions> clone() const = 0;
  /// The learning rate.
  [[nodiscard]] virtual double get_lr() const = 0;
  /// Sets the learning rate.
  virtual void set_lr(double lr) = 0;

 protected:
  ///@{
  /// For derived classes.
  OptimizerOptions() = default;
  OptimizerOptions(const OptimizerOptions&) = default;
  OptimizerOptions& operator=(const OptimizerOptions&) = default;
  ///@}
};

/// Parameters with the same options; without options of its own, a group has those of the optimizer.
class OptimizerParamGroup {
 public:
  /// Parameters with the optimizer's options.
  OptimizerParamGroup(std::vector<Tensor> params)
      : params_(std::move(params)) {}  // NOLINT(google-explicit-constructor)
  /// Parameters with options of their own.
  OptimizerParamGroup(std::vector<Tensor> params, std::unique_ptr<OptimizerOptions> options)
      : params_(std::move(params)), options_(std::move(options)) {}
  /// The same parameters, and a copy of the options.
  OptimizerParamGroup(const OptimizerParamGroup& other);
  /// Moves parameters and options.
  OptimizerParamGroup(OptimizerParamGroup&&) noexcept = default;
  ~OptimizerParamGroup() = default;
  OptimizerParamGroup& operator=(const OptimizerParamGroup&) = delete;
  /// Moves parameters and options.
  OptimizerParamGroup& operator=(OptimizerParamGroup&&) noexcept = default;

  /// Whether it has options yet.
  [[nodiscard]] bool has_options() const noexcept { return options_ != nullptr; }
  ///@{
  /// The options; ValueError if there are none yet.
  [[nodiscard]] OptimizerOptions& options();
  [[nodiscard]] const OptimizerOptions& options() const;
  ///@}
  /// Sets the options.
  void set_options(std::unique_ptr<OptimizerOptions> options) { options_ = std::move(options); }
  ///@{
  /// The parameters, which share their elements with the module.
  [[nodiscard]] std::vector<Tensor>& params() noexcept { return params_; }
  [[nodiscard]] const std::vector<Tensor>& params() const noexcept { return params_; }
  ///@}

 private:
  std::vector<Tensor> params_;
  std::unique_ptr<OptimizerOptions> options_;
};

/// Changes groups of parameters by their gradients.
class Optimizer {
 public:
  /// Releases the parameters and what it keeps for them.
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Changes every parameter that has a gradient, on its device, without recording.
  virtual void step() = 0;
  /// Sets existing gradients to zero, or releases them.
  void zero_grad(bool set_to_none = false);
  /// Adds parameters; ValueError for an empty group, for a non-leaf tensor, and for a parameter that is in a group.
  void add_param_group(OptimizerParamGroup group);
  ///@{
  /// The groups, in the order in which they were added.
  [[nodiscard]] std::vector<OptimizerParamGroup>& param_groups() noexcept { return groups_; }
  [[nodiscard]] const std::vector<OptimizerParamGroup>& param_groups() const noexcept { return groups_; }
  ///@}
  /// The text that Python's PyTorch prints.
  [[nodiscard]] virtual std::string str() const = 0;

 protected:
  /// `defaults` are the options of groups without their own.
  explicit Optimizer(std::unique_ptr<OptimizerOptions> defaults) : defaults_(std::move(defaults)) {}
  /// ValueError for invalid options.
  virtual void check(const OptimizerOptions& options) const = 0;

 private:
  std::vector<OptimizerParamGroup> groups_;
  std::unique_ptr<OptimizerOptions> defaults_;
};

///@{
/// The text that Python's PyTorch prints: str().
std::string repr(const Optimizer& optimizer);
std::ostream& operator<<(std::ostream& out, const Optimizer& optimizer);
///@}

}  // namespace d2l::optim
