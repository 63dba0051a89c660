// SPDX-License-Identifier: MIT
/// @file
/// ModuleHolder: a handle to a module, as nn::Linear is one to an nn::LinearImpl.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "d2l/nn/module.h"

namespace d2l::detail {
/// ValueError for an empty holder.
[[noreturn]] void fail_empty_holder();
}  // namespace d2l::detail

namespace d2l::nn {

/// A handle to a module, with the constructors of the module; copies share the module.
template <class Contained>
class ModuleHolder {
 public:
  using ContainedType = Contained;  ///< the class of the module

  /// Holds a default-constructed module.
  ModuleHolder() requires std::default_initializable<Contained> : impl_(std::make_shared<Contained>()) {}
  /// Is empty: use is a ValueError until a module is assigned.
  ModuleHolder(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  /// Holds the module, shared.
  ModuleHolder(std::shared_ptr<Contained> module) : impl_(std::move(module)) {}  // NOLINT(google-explicit-constructor)
  /// Holds a module constructed with these arguments.
  template <class Head, class... Tail>
  requires(sizeof...(Tail) > 0 ||
           (!std::derived_from<std::remove_cvref_t<Head>, ModuleHolder> &&
            !std::is_convertible_v<Head, std::shared_ptr<Contained>>)) explicit ModuleHolder(Head&& head,
                                                                                             Tail&&... tail)
      : impl_(std::make_shared<Contained>(std::forward<Head>(head), std::forward<Tail>(tail)...)) {}

  /// Whether it holds no module.
  [[nodiscard]] bool is_empty() const noexcept { return impl_ == nullptr; }
  /// Whether it holds a module.
  explicit operator bool() const noexcept { return !is_empty(); }
  /// The module; ValueError for an empty holder.
  [[nodiscard]] Contained* get() const {
    if (is_empty()) detail::fail_empty_holder();
    return impl_.get();
  }
  /// The module, shared; ValueError for an empty holder.
  [[nodiscard]] const std::shared_ptr<Contained>& ptr() const {
    if (is_empty()) detail::fail_empty_holder();
    return impl_;
  }
  /// The module; ValueError for an empty holder.
  Contained* operator->() const { return get(); }
  /// The module; ValueError for an empty holder.
  Contained& operator*() const { return *get(); }

  /// The module's forward(), with its hook.
  template <class... Arguments>
  decltype(auto) operator()(Arguments&&... arguments) const {
    Contained& module = *get();
    const auto forward = [&]() -> decltype(auto) { return module.forward(std::forward<Arguments>(arguments)...); };
    if constexpr (std::derived_from<Contained, Module>) {
      if (module.forward_hook() != nullptr) [[unlikely]] {
        const auto hook = module.forward_hook();
        return detail::call_hooked(*hook, forward);
      }
    }
    return forward();
  }
  /// The module's operator[].
  template <class Index>
  decltype(auto) operator[](Index&& index) const {
    return (*get())[std::forward<Index>(index)];
  }

 private:
  std::shared_ptr<Contained> impl_;
};

///@{
/// The text that Python's PyTorch prints; ValueError for an empty holder.
template <class Contained>
std::string repr(const ModuleHolder<Contained>& module) {
  return repr(static_cast<const Module&>(*module));
}
template <class Contained>
std::ostream& operator<<(std::ostream& out, const ModuleHolder<Contained>& module) {
  return out << static_cast<const Module&>(*module);
}
///@}

}  // namespace d2l::nn

namespace d2l {

///@{
/// Writes the parameters and buffers of the holder's module to a file, or reads them, as save() and load() of the
/// module do: ConfigurationError for a file that cannot be written or is malformed; ValueError for an empty holder, and
/// if the file does not fit the module.
template <class Contained>
void save(const nn::ModuleHolder<Contained>& module, const std::string& path) {
  save(static_cast<const nn::Module&>(*module), path);
}
template <class Contained>
void load(const nn::ModuleHolder<Contained>& module, const std::string& path) {
  load(static_cast<nn::Module&>(*module), path);
}
///@}

}  // namespace d2l

/// Defines class Name, a holder of NameImpl, like LibTorch's TORCH_MODULE; Name::Impl is NameImpl.
#define D2L_MODULE(Name)                                     \
  class Name : public ::d2l::nn::ModuleHolder<Name##Impl> {  \
   public:                                                   \
    using ::d2l::nn::ModuleHolder<Name##Impl>::ModuleHolder; \
    using Impl [[maybe_unused]] = Name##Impl;                \
  }
