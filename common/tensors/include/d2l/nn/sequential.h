// SPDX-License-Identifier: MIT
/// @file
/// Sequential: a chain of modules.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "d2l/nn/any_module.h"

namespace d2l::detail {
/// TypeError for a module of another class.
[[noreturn]] void fail_other_class(const nn::Module& module);
}  // namespace d2l::detail

namespace d2l::nn {

/// Passes the output of each module to the next; an empty one returns its input.
class SequentialImpl : public Module {
 public:
  /// Empty.
  SequentialImpl() = default;
  /// The modules in this order, named by their numbers.
  template <std::convertible_to<AnyModule> First, std::convertible_to<AnyModule>... Others>
  explicit SequentialImpl(First&& first, Others&&... others) {
    push_back(AnyModule(std::forward<First>(first)));
    (push_back(AnyModule(std::forward<Others>(others))), ...);
  }
  /// No constructor: the compiler says that one of the arguments is not a module.
  template <class First, class... Others>
  requires(!std::derived_from<std::remove_cvref_t<First>, SequentialImpl> &&
           !(std::convertible_to<First, AnyModule> && ... &&
             std::convertible_to<Others, AnyModule>)) explicit SequentialImpl(First&& /*first*/,
                                                                              Others&&... /*others*/) {
    static_assert(detail::never<First, Others...>,
                  "each argument of Sequential is a module, such as nn::Linear(2, 3) or nn::ReLU(), not a function");
  }
  /// The modules in this order, with names.
  SequentialImpl(std::initializer_list<NamedAnyModule> modules);

  /// The output of the last module; errors of the modules.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  ///@{
  /// Adds a module at the end; its name is by default its number. ValueError for a name that is in use, empty or has a
  /// dot.
  void push_back(AnyModule module);
  void push_back(const std::string& name, AnyModule module);
  ///@}

  ///@{
  /// The module at an index; a negative one counts from the end. IndexError if it is out of range.
  [[nodiscard]] const std::shared_ptr<Module>& ptr(std::int64_t index) const;
  [[nodiscard]] const std::shared_ptr<Module>& operator[](std::int64_t index) const { return ptr(index); }
  ///@}
  /// The same as its class: `net->at<nn::LinearImpl>(0)`; TypeError for another class.
  template <std::derived_from<Module> M>
  [[nodiscard]] M& at(std::int64_t index) const {
    auto* const module = dynamic_cast<M*>(ptr(index).get());
    if (module == nullptr) detail::fail_other_class(*ptr(index));
    return *module;
  }
  /// The number of modules.
  [[nodiscard]] std::size_t size() const noexcept { return modules_.size(); }
  /// Whether there are no modules.
  [[nodiscard]] bool is_empty() const noexcept { return modules_.empty(); }
  ///@{
  /// The modules in their order, each an AnyModule.
  [[nodiscard]] auto begin() const noexcept { return modules_.begin(); }
  [[nodiscard]] auto end() const noexcept { return modules_.end(); }
  ///@}

 private:
  std::vector<AnyModule> modules_;
};

/// `nn::Sequential net(nn::Linear(3, 4), nn::ReLU());` or `nn::Sequential net({{"first", nn::Linear(3, 4)}});`
class Sequential : public ModuleHolder<SequentialImpl> {
 public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;  // NOLINT(modernize-use-equals-default)
  /// Empty.
  Sequential() = default;
  /// The modules in this order, with names.
  Sequential(std::initializer_list<NamedAnyModule> modules);
};

}  // namespace d2l::nn
