// SPDX-License-Identifier: MIT
/// @file
/// Module: parameters and other modules under names, and what is done to all of them at once.
#pragma once

#include <concepts>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "d2l/ordered_dict.h"
#include "d2l/tensor.h"

/// Neural networks, by the names of LibTorch.
namespace d2l::nn {

template <class Contained>
class ModuleHolder;

/// The keys that load_state_dict() did not find in the dictionary, or not in the module.
struct IncompatibleKeys {
  std::vector<std::string> missing_keys;     ///< of the module, and not in the dictionary
  std::vector<std::string> unexpected_keys;  ///< of the dictionary, and not in the module
};
///@{
/// "<All keys matched successfully>", or the keys.
std::string repr(const IncompatibleKeys& keys);
std::ostream& operator<<(std::ostream& out, const IncompatibleKeys& keys);
///@}

/// The base of every layer, loss and model.
class Module {
 public:
  /// Named after its class, without the ending Impl.
  Module() = default;
  /// Of the given name.
  explicit Module(std::string name) : name_(std::move(name)) {}
  virtual ~Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// The class's name as PyTorch prints it: "Linear".
  [[nodiscard]] std::string name() const;
  /// What stands in the brackets when the module is printed: "in_features=3, out_features=1, bias=True".
  [[nodiscard]] virtual std::string extra_repr() const { return {}; }
  /// What the module makes of an input; ValueError for a module that has not said so.
  virtual Tensor forward(const Tensor& input);
  /// Another module of the same kind with parameters of its own, of the same values; ValueError where a module does not
  /// say how.
  [[nodiscard]] virtual std::shared_ptr<Module> clone() const;

  /// Makes the tensor a parameter of this module, and returns it; an undefined one only takes the name. ValueError for
  /// a name that is empty, taken, or has a dot.
  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  ///@{
  /// Makes a module part of this one, and returns it. ValueError for a name as register_parameter(), for no module, and
  /// for one that would contain itself.
  template <std::derived_from<Module> M>
  std::shared_ptr<M> register_module(const std::string& name, std::shared_ptr<M> module) {
    add_child(name, module);
    return module;
  }
  template <class M>
  std::shared_ptr<M> register_module(const std::string& name, const ModuleHolder<M>& holder) {
    return register_module(name, holder.ptr());
  }
  ///@}

  /// The parameters of this module, then of its children, each once.
  [[nodiscard]] std::vector<Tensor> parameters(bool recurse = true) const;
  /// The same, by name: "0.weight".
  [[nodiscard]] OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  /// The modules that are part of this one, in the order in which they were registered.
  [[nodiscard]] std::vector<std::shared_ptr<Module>> children() const { return children_.values(); }
  /// The same, by name.
  [[nodiscard]] const OrderedDict<std::string, std::shared_ptr<Module>>& named_children() const { return children_; }
  /// Calls the function with every module within this one, innermost first, then with this one.
  Module& apply(const std::function<void(Module&)>& function);
  /// True while a parameter of this module itself has no shape yet.
  [[nodiscard]] bool has_uninitialized_params() const;

  ///@{
  /// Moves or converts all parameters and their gradients; each stays the tensor that it is. Only floating-point
  /// parameters are converted; TypeError for a dtype that is not floating point.
  Module& to(Device device, ScalarType dtype, bool non_blocking = false);
  Module& to(Device device, bool non_blocking = false);
  Module& to(ScalarType dtype, bool non_blocking = false);
  Module& cuda(int index = 0) { return to(Device(kCUDA, index)); }
  Module& cpu() { return to(Device(kCPU)); }
  ///@}

  /// Says to this module and all within whether they are being trained.
  virtual Module& train(bool on = true);
  /// train(false).
  Module& eval() { return train(false); }
  /// Whether it is being trained; true unless told otherwise.
  [[nodiscard]] bool is_training() const noexcept { return training_; }
  /// Sets the gradients that there are to zero, or lets go of them.
  void zero_grad(bool set_to_none = false);

  /// The parameters by name: the elements themselves, of which nothing is recorded.
  [[nodiscard]] StateDict state_dict() const;
  /// Copies the dictionary's values into the parameters, which keep their dtype and device. What fits is copied; then,
  /// unless all fitted, ValueError names each problem. Keys that are missing or unexpected are none if not `strict`.
  IncompatibleKeys load_state_dict(const StateDict& dict, bool strict = true);

  /// This module as the class that it is, or that a holder holds: `module->as<nn::Linear>()`; null if it is another.
  template <class M>
  [[nodiscard]] auto* as() noexcept {
    if constexpr (std::derived_from<M, Module>) {
      return dynamic_cast<M*>(this);
    } else {
      return dynamic_cast<typename M::ContainedType*>(this);
    }
  }

 protected:
  /// Lets the module have another name from now on.
  void rename(std::string name) { name_ = std::move(name); }

 private:
  struct Loading;
  void add_child(const std::string& name, std::shared_ptr<Module> module);
  template <class Visit>
  void each_parameter(bool recurse, Visit& visit) const;
  template <class Visit>
  void each_named_parameter(const std::string& prefix, bool recurse, Visit& visit) const;
  void load(const std::string& prefix, Loading& loading);

  std::string name_;
  bool training_ = true;
  OrderedDict<std::string, Tensor> parameters_{"Parameter"};
  OrderedDict<std::string, std::shared_ptr<Module>> children_{"Submodule"};
};

///@{
/// The text that Python's PyTorch prints.
std::string repr(const Module& module);
std::ostream& operator<<(std::ostream& out, const Module& module);
///@}

}  // namespace d2l::nn
