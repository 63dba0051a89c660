// SPDX-License-Identifier: MIT
/// @file
/// Module: named parameters, buffers and submodules, and operations on all of them at once.
#pragma once

#include <concepts>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "d2l/ordered_dict.h"
#include "d2l/tensor.h"

namespace d2l {

namespace nn {
class Module;
}  // namespace nn

///@{
/// Writes the parameters and buffers of a module to a safetensors file, whole or not at all. ConfigurationError if the
/// file cannot be written; ValueError for a parameter that has no shape yet, and for a null pointer.
void save(const nn::Module& module, const std::string& path);
void save(const std::shared_ptr<nn::Module>& module, const std::string& path);
///@}
///@{
/// Copies the values of such a file into the parameters and buffers, which keep their dtype and device. The file must
/// have the keys and the shapes of the module, else the module is unchanged and the ValueError names each problem;
/// ConfigurationError for a malformed file, and errors of load_file().
void load(nn::Module& module, const std::string& path);
void load(const std::shared_ptr<nn::Module>& module, const std::string& path);
///@}

}  // namespace d2l

namespace d2l::detail {

/// For the sources of the library: what surrounds the calls of a module, as PyTorch's forward hooks do.
class ForwardHook {
 public:
  virtual ~ForwardHook() = default;
  virtual void before_forward() = 0;
  /// The tensor takes the place of the module's result; undefined if that is no tensor.
  virtual Tensor after_forward(Tensor result) = 0;
  /// forward() has thrown.
  virtual void forward_failed() noexcept = 0;
};

/// Calls `forward` of a module with a hook.
template <class Forward>
std::invoke_result_t<Forward> call_hooked(ForwardHook& hook, const Forward& forward) {
  using Result = std::invoke_result_t<Forward>;
  hook.before_forward();
  try {
    if constexpr (std::same_as<Result, Tensor>) {
      return hook.after_forward(forward());
    } else if constexpr (std::is_void_v<Result>) {
      forward();
      hook.after_forward({});
    } else {
      Result result = forward();
      hook.after_forward({});
      return result;
    }
  } catch (...) {
    hook.forward_failed();
    throw;
  }
}

}  // namespace d2l::detail

/// Neural networks, with the names of LibTorch.
namespace d2l::nn {

template <class Contained>
class ModuleHolder;

/// The keys that load_state_dict() did not find in the dictionary or in the module.
struct IncompatibleKeys {
  std::vector<std::string> missing_keys;     ///< in the module, not in the dictionary
  std::vector<std::string> unexpected_keys;  ///< in the dictionary, not in the module
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
  Module();
  /// With this name.
  explicit Module(std::string name);
  /// Releases parameters, buffers and modules.
  virtual ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// The class's name as PyTorch prints it: "Linear".
  [[nodiscard]] std::string name() const;
  /// The text in the brackets of the printed module: "in_features=3, out_features=1, bias=True".
  [[nodiscard]] virtual std::string extra_repr() const;
  /// The output for an input; ValueError unless the class overrides it.
  virtual Tensor forward(const Tensor& input);
  /// A new module of the same class with copies of the parameters; ValueError unless the class overrides it.
  [[nodiscard]] virtual std::shared_ptr<Module> clone() const;

  /// Makes the tensor a parameter of this module, and returns it; an undefined tensor only reserves the name.
  /// ValueError for a name that is empty, in use, or has a dot.
  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  /// Makes the tensor a buffer of this module, and returns it: state that is saved and moved with the parameters, but
  /// that no optimizer changes. An undefined tensor only reserves the name. ValueError as register_parameter().
  Tensor& register_buffer(std::string name, Tensor tensor);
  ///@{
  /// Makes a module a child of this one, and returns it. ValueError for a name as in register_parameter(), for nullptr,
  /// and for a module that would contain itself.
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

  /// Replaces a child, which keeps its place and name. IndexError if there is none of that name; ValueError as
  /// register_module().
  void replace_module(const std::string& name, std::shared_ptr<Module> module);

  /// The parameters of this module, then of its children, each once.
  [[nodiscard]] std::vector<Tensor> parameters(bool recurse = true) const;
  /// The same, by name: "0.weight".
  [[nodiscard]] OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  /// The buffers of this module, then of its children, each once.
  [[nodiscard]] std::vector<Tensor> buffers(bool recurse = true) const;
  /// The same, by name: "0.running_mean".
  [[nodiscard]] OrderedDict<std::string, Tensor> named_buffers(bool recurse = true) const;
  /// The children, in the order of registration.
  [[nodiscard]] std::vector<std::shared_ptr<Module>> children() const;
  /// The same, by name.
  [[nodiscard]] const OrderedDict<std::string, std::shared_ptr<Module>>& named_children() const { return children_; }
  /// Calls the function with every module in this one, innermost first, then with this one.
  Module& apply(const std::function<void(Module&)>& function);
  /// Whether a parameter of this module, not of its children, has no shape yet.
  [[nodiscard]] bool has_uninitialized_params() const;

  ///@{
  /// For the sources of the library: what surrounds the calls of this module through a holder or in a Sequential, not
  /// those of forward(); null for nothing.
  void set_forward_hook(std::shared_ptr<detail::ForwardHook> hook) { forward_hook_ = std::move(hook); }
  [[nodiscard]] const std::shared_ptr<detail::ForwardHook>& forward_hook() const noexcept { return forward_hook_; }
  ///@}

  ///@{
  /// Moves or converts the elements of all parameters, gradients and buffers; the tensors stay the same. Only
  /// floating-point ones are converted. TypeError for a dtype that is not floating point.
  Module& to(Device device, ScalarType dtype, bool non_blocking = false);
  Module& to(Device device, bool non_blocking = false);
  Module& to(ScalarType dtype, bool non_blocking = false);
  Module& cuda(int index = 0) { return to(Device(kCUDA, index)); }
  Module& cpu() { return to(Device(kCPU)); }
  Module& half() { return to(kHalf); }
  Module& bfloat16() { return to(kBFloat16); }
  ///@}

  /// Sets training or evaluation mode for this module and all modules in it.
  virtual Module& train(bool on = true);
  /// train(false).
  Module& eval() { return train(false); }
  /// Whether it is in training mode, as it is by default.
  [[nodiscard]] bool is_training() const noexcept { return training_; }
  /// Sets existing gradients to zero, or releases them.
  void zero_grad(bool set_to_none = false);

  /// The parameters and buffers by name, as tensors that share the elements and record no gradients.
  [[nodiscard]] StateDict state_dict() const;
  /// Copies the dictionary's values into the parameters and buffers, which keep their dtype and device. Copies every
  /// value that fits; then throws a ValueError that names each problem, if any. Missing and unexpected keys are
  /// problems if `strict`.
  IncompatibleKeys load_state_dict(const StateDict& dict, bool strict = true);

  /// This module as its class, or as the class of a holder: `module->as<nn::Linear>()`; null for another class.
  template <class M>
  [[nodiscard]] auto* as() noexcept {
    if constexpr (std::derived_from<M, Module>) {
      return dynamic_cast<M*>(this);
    } else {
      return dynamic_cast<typename M::ContainedType*>(this);
    }
  }

 protected:
  /// Changes the name of the module.
  void rename(std::string name) { name_ = std::move(name); }

 private:
  friend void d2l::load(Module& module, const std::string& path);
  using Tensors = OrderedDict<std::string, Tensor>;
  struct Loading;
  void check_free(const std::string& name, const char* operation, const char* kind) const;
  void check_child(const std::shared_ptr<Module>& module, const char* operation) const;
  void add_child(const std::string& name, std::shared_ptr<Module> module);
  template <class Visit>
  void each(Tensors Module::*tensors, bool recurse, Visit& visit) const;
  template <class Visit>
  void each_named(Tensors Module::*tensors, const std::string& prefix, bool recurse, Visit& visit) const;
  template <class Visit>
  void each_of_state(const std::string& prefix, Visit& visit) const;
  void load(const std::string& prefix, Loading& loading);
  void load(const Tensor& own, const std::string& key, Loading& loading);

  std::string name_;
  std::shared_ptr<detail::ForwardHook> forward_hook_;
  bool training_ = true;
  Tensors parameters_{"Parameter"};
  Tensors buffers_{"Buffer"};
  OrderedDict<std::string, std::shared_ptr<Module>> children_{"Submodule"};
};

///@{
/// The text that Python's PyTorch prints.
std::string repr(const Module& module);
std::ostream& operator<<(std::ostream& out, const Module& module);
///@}

}  // namespace d2l::nn
