// SPDX-License-Identifier: MIT
/// @file
/// Sequential: modules one after the other.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "d2l/nn/any_module.h"

namespace d2l::detail {
/// TypeError: the module is of another class than asked for.
[[noreturn]] void fail_other_class(const nn::Module& module);
}  // namespace d2l::detail

namespace d2l::nn {

/// Gives each module the result of the one before; an empty one returns its input.
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
  /// The modules in this order, with names.
  SequentialImpl(std::initializer_list<NamedAnyModule> modules);

  /// What the last module makes of what those before made of the input; their errors.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  ///@{
  /// Adds a module at the end; it is named by its number unless a name is given. ValueError for a name that
  /// is taken, empty or has a dot.
  void push_back(AnyModule module);
  void push_back(const std::string& name, AnyModule module);
  ///@}

  ///@{
  /// The module of a number; a negative one counts from the end. IndexError when there is none.
  [[nodiscard]] const std::shared_ptr<Module>& ptr(std::int64_t index) const;
  [[nodiscard]] const std::shared_ptr<Module>& operator[](std::int64_t index) const { return ptr(index); }
  ///@}
  /// The same as the class that it is: `net->at<nn::LinearImpl>(0)`; TypeError if it is another.
  template <std::derived_from<Module> M>
  [[nodiscard]] M& at(std::int64_t index) const {
    auto* const module = dynamic_cast<M*>(ptr(index).get());
    if (module == nullptr) detail::fail_other_class(*ptr(index));
    return *module;
  }
  /// How many modules there are.
  [[nodiscard]] std::size_t size() const noexcept { return modules_.size(); }
  /// Whether there is none.
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
  Sequential(std::initializer_list<NamedAnyModule> modules) : ModuleHolder(std::make_shared<SequentialImpl>(modules)) {}
};

}  // namespace d2l::nn
