// SPDX-License-Identifier: MIT
/// @file
/// Optimizer: the base of the optimizers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "d2l/ordered_dict.h"
#include "d2l/tensor.h"

/// Declares an option of a class of options, Class: the functions that set and return its member `option_`.
#define D2L_OPTIMIZER_OPTION(Class, type, option) \
  Class& option(const type& value) {              \
    option##_ = value;                            \
    return static_cast<Class&>(*this);            \
  }                                               \
  type& option() { return option##_; }            \
  [[nodiscard]] const type& option() const { return option##_; }

namespace d2l {

namespace optim {
class Optimizer;
}  // namespace optim

namespace detail {
struct OptimizerContents;
OptimizerContents contents_of(const optim::Optimizer& optimizer);
}  // namespace detail

/// Writes the options of an optimizer and what it keeps for its parameters to a safetensors file, whole or not at all;
/// ConfigurationError if the file cannot be written.
void save(const optim::Optimizer& optimizer, const std::string& path);
/// Reads what save() wrote, to the devices of the parameters, so that training continues as if it had not stopped.
/// After an error the optimizer is unchanged: ConfigurationError for a malformed file, ValueError if the file belongs
/// to another kind of optimizer, to other groups or to parameters of other shapes, or has invalid options.
void load(optim::Optimizer& optimizer, const std::string& path);

}  // namespace d2l

/// Optimizers, by the names of LibTorch.
namespace d2l::optim {

/// Numbers by the names of options: {"lr", 0.1}; a bool is 0 or 1.
using OptionValues = std::map<std::string, double>;

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
  /// All options, for a file.
  [[nodiscard]] virtual OptionValues values() const;
  /// Sets all options; ValueError if one is missing.
  virtual void set_values(const OptionValues& values);

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
  virtual void zero_grad(bool set_to_none = false);
  /// Adds parameters, or none; ValueError for a non-leaf tensor, and for a parameter that is in a group.
  void add_param_group(OptimizerParamGroup group);
  ///@{
  /// The groups, in the order in which they were added.
  [[nodiscard]] std::vector<OptimizerParamGroup>& param_groups() noexcept { return groups_; }
  [[nodiscard]] const std::vector<OptimizerParamGroup>& param_groups() const noexcept { return groups_; }
  ///@}
  /// What it keeps for a parameter, by PyTorch's names such as "exp_avg", on the parameter's device; empty before the
  /// first step. ValueError for a tensor that is not a parameter of this optimizer.
  [[nodiscard]] StateDict state(const Tensor& parameter);
  /// The number of steps that changed a parameter, which optimizers count if they need it; errors as state().
  [[nodiscard]] std::int64_t steps(const Tensor& parameter);
  /// Sets what state() and steps() return, as copies on the parameter's device; what the dictionary lacks is as before
  /// the first step. ValueError as state(), and for an unknown name; ShapeError for another shape than the parameter's.
  void set_state(const Tensor& parameter, const StateDict& state, std::int64_t steps);
  /// The class's name as PyTorch prints it: "SGD".
  [[nodiscard]] virtual std::string name() const = 0;
  /// The text that Python's PyTorch prints.
  [[nodiscard]] virtual std::string str() const = 0;

 protected:
  static constexpr std::size_t max_state_tensors = 3;  ///< the most tensors that an optimizer keeps for a parameter
  /// What an optimizer keeps for a parameter.
  struct ParameterState {
    std::shared_ptr<detail::TensorImpl> parameter;  ///< the parameter
    std::int64_t step = 0;                          ///< the number of steps so far, if the optimizer counts them
    std::array<Tensor, max_state_tensors> tensors;  ///< in the order of state_names(); undefined until they are needed
  };
  /// Changes a parameter by its gradient.
  using Change =
      std::function<void(const OptimizerOptions&, Tensor& parameter, const Tensor& gradient, ParameterState& state)>;

  /// `defaults` are the options of groups without their own.
  explicit Optimizer(std::unique_ptr<OptimizerOptions> defaults) : defaults_(std::move(defaults)) {}
  /// For constructors: checks the defaults, then adds the groups. ValueError if there is none.
  void add_first_groups(std::vector<OptimizerParamGroup> groups);
  /// The same, with one group of these parameters.
  void add_first_group(std::vector<Tensor> params);
  /// ValueError for invalid options.
  virtual void check(const OptimizerOptions& options) const = 0;
  /// PyTorch's names of the tensors of ParameterState.
  [[nodiscard]] virtual std::vector<std::string> state_names() const = 0;
  /// Calls `change`, without recording, for every parameter that has a gradient, with its state on its device.
  void for_each_gradient(const Change& change);
  /// What it keeps for a parameter, on its device; ValueError for a tensor that is not a parameter of this optimizer.
  ParameterState& state_of(const Tensor& parameter);

 private:
  friend detail::OptimizerContents detail::contents_of(const Optimizer& optimizer);
  friend void d2l::load(Optimizer& optimizer, const std::string& path);
  ParameterState& state_of(const Tensor& parameter, std::size_t group, std::size_t number);
  const ParameterState* find_state(const Tensor& parameter, std::size_t group) const;
  void arrange(std::size_t group);

  std::vector<OptimizerParamGroup> groups_;
  std::unique_ptr<OptimizerOptions> defaults_;
  std::vector<std::vector<ParameterState>> states_;  // in the order of groups_
};

///@{
/// The text that Python's PyTorch prints: str().
std::string repr(const Optimizer& optimizer);
std::ostream& operator<<(std::ostream& out, const Optimizer& optimizer);
///@}

}  // namespace d2l::optim
