// SPDX-License-Identifier: MIT
/// @file
/// AnyModule: a module of any class whose forward() takes one tensor.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>

#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// Calls the forward() of the module's class, even if it does not override Module::forward().
class AnyModule {
 public:
  /// Shares ownership of the module.
  template <std::derived_from<Module> M>
  AnyModule(std::shared_ptr<M> module)  // NOLINT(google-explicit-constructor)
      : module_(std::move(module)), call_(&call<M>) {}
  /// Shares ownership of the holder's module; ValueError for an empty holder.
  template <class M>
  AnyModule(const ModuleHolder<M>& holder) : AnyModule(holder.ptr()) {}  // NOLINT(google-explicit-constructor)

  /// Holds a clone of the module.
  [[nodiscard]] AnyModule clone() const;

  /// The module's forward(), with its hook.
  Tensor forward(const Tensor& input) const {
    if (module_->forward_hook() == nullptr) [[likely]]
      return call_(*module_, input);
    const auto hook = module_->forward_hook();
    return detail::call_hooked(*hook, [&] { return call_(*module_, input); });
  }
  ///@{
  /// The module.
  [[nodiscard]] const std::shared_ptr<Module>& ptr() const noexcept { return module_; }
  Module& operator*() const noexcept { return *module_; }
  Module* operator->() const noexcept { return module_.get(); }
  ///@}

 private:
  template <class M>
  static Tensor call(Module& module, const Tensor& input) {
    if constexpr (requires(M & known) { Tensor(known.forward(input)); }) {
      return static_cast<M&>(module).forward(input);
    } else {
      return module.forward(input);
    }
  }

  std::shared_ptr<Module> module_;
  Tensor (*call_)(Module&, const Tensor&);
};

/// A module with its name in a Sequential.
class NamedAnyModule {
 public:
  /// A module and its name.
  NamedAnyModule(std::string name, AnyModule module) : name_(std::move(name)), module_(std::move(module)) {}
  /// The name.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The module.
  [[nodiscard]] const AnyModule& module() const noexcept { return module_; }

 private:
  std::string name_;
  AnyModule module_;
};

}  // namespace d2l::nn
