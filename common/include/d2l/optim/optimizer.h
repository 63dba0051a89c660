// SPDX-License-Identifier: MIT
// Optimizer: what every way to change parameters by their gradients has.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "d2l/tensor.h"

namespace d2l::optim {

/// What an optimizer is told for a group of parameters.
class OptimizerOptions {
 public:
  virtual ~OptimizerOptions() = default;
  [[nodiscard]] virtual std::unique_ptr<OptimizerOptions> clone() const = 0;
  [[nodiscard]] virtual double get_lr() const = 0;
  virtual void set_lr(double lr) = 0;

 protected:
  OptimizerOptions() = default;
  OptimizerOptions(const OptimizerOptions&) = default;
  OptimizerOptions& operator=(const OptimizerOptions&) = default;
};

/// Parameters that are changed alike; without options, those of the optimizer.
class OptimizerParamGroup {
 public:
  OptimizerParamGroup(std::vector<Tensor> params)
      : params_(std::move(params)) {}  // NOLINT(google-explicit-constructor)
  OptimizerParamGroup(std::vector<Tensor> params, std::unique_ptr<OptimizerOptions> options)
      : params_(std::move(params)), options_(std::move(options)) {}
  OptimizerParamGroup(const OptimizerParamGroup& other)
      : params_(other.params_), options_(other.has_options() ? other.options_->clone() : nullptr) {}
  OptimizerParamGroup(OptimizerParamGroup&&) noexcept = default;
  ~OptimizerParamGroup() = default;
  OptimizerParamGroup& operator=(const OptimizerParamGroup&) = delete;
  OptimizerParamGroup& operator=(OptimizerParamGroup&&) noexcept = default;

  [[nodiscard]] bool has_options() const noexcept { return options_ != nullptr; }
  /// ValueError when there are none yet.
  [[nodiscard]] OptimizerOptions& options();
  [[nodiscard]] const OptimizerOptions& options() const;
  void set_options(std::unique_ptr<OptimizerOptions> options) { options_ = std::move(options); }
  [[nodiscard]] std::vector<Tensor>& params() noexcept { return params_; }
  [[nodiscard]] const std::vector<Tensor>& params() const noexcept { return params_; }

 private:
  std::vector<Tensor> params_;
  std::unique_ptr<OptimizerOptions> options_;
};

/// Parameters in groups, and how they are changed.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Changes every parameter that has a gradient; nothing is recorded, and nothing leaves the device.
  virtual void step() = 0;
  /// Sets the gradients that there are to zero, or lets go of them.
  void zero_grad(bool set_to_none = false);
  /// Adds parameters; ValueError for none at all, for one that is no leaf, and for one that is here already.
  void add_param_group(OptimizerParamGroup group);
  [[nodiscard]] std::vector<OptimizerParamGroup>& param_groups() noexcept { return groups_; }
  [[nodiscard]] const std::vector<OptimizerParamGroup>& param_groups() const noexcept { return groups_; }
  /// The text that Python's PyTorch prints.
  [[nodiscard]] virtual std::string str() const = 0;

 protected:
  explicit Optimizer(std::unique_ptr<OptimizerOptions> defaults) : defaults_(std::move(defaults)) {}
  /// ValueError for options that make no sense.
  virtual void check(const OptimizerOptions& options) const = 0;

 private:
  std::vector<OptimizerParamGroup> groups_;
  std::unique_ptr<OptimizerOptions> defaults_;
};

std::string repr(const Optimizer& optimizer);
std::ostream& operator<<(std::ostream& out, const Optimizer& optimizer);

}  // namespace d2l::optim
