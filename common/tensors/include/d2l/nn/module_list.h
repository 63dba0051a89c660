// SPDX-License-Identifier: MIT
/// @file
/// ModuleList: modules by number.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "d2l/nn/module_holder.h"

namespace d2l::detail {
/// IndexError if the index is not below the count.
void check_module_index(std::size_t index, std::size_t count);
/// TypeError for a module of another class.
[[noreturn]] void fail_class_in_list(const nn::Module& module);
}  // namespace d2l::detail

namespace d2l::nn {

/// Modules that are children by the names "0", "1", and so on; it has no forward().
class ModuleListImpl : public Module {
 public:
  using Modules = std::vector<std::shared_ptr<Module>>;  ///< the modules in their order
  using Iterator = Modules::iterator;                    ///< iterates over them
  using ConstIterator = Modules::const_iterator;         ///< the read-only iterator

  /// Empty.
  ModuleListImpl() = default;
  /// The modules in this order: holders or shared pointers.
  template <class First, class... Others>
  requires(!std::derived_from<std::remove_cvref_t<First>, ModuleListImpl>) explicit ModuleListImpl(First&& first,
                                                                                                   Others&&... others) {
    push_back(std::forward<First>(first));
    (push_back(std::forward<Others>(others)), ...);
  }
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  ///@{
  /// Adds a module at the end; ValueError for an empty holder, nullptr, and a module that contains the list.
  void push_back(std::shared_ptr<Module> module);
  template <class M>
  void push_back(const ModuleHolder<M>& holder) {
    push_back(std::shared_ptr<Module>(holder.ptr()));
  }
  ///@}
  /// Adds the modules of a container, such as another list, at the end; errors as push_back().
  template <class Container>
  void extend(const Container& container) {
    for (const auto& module : container) push_back(module);
  }
  ///@{
  /// Inserts a module before number `index`, or at the end if that is size(). IndexError if it is out of range, errors
  /// as push_back().
  void insert(std::size_t index, std::shared_ptr<Module> module);
  template <class M>
  void insert(std::size_t index, const ModuleHolder<M>& holder) {
    insert(index, std::shared_ptr<Module>(holder.ptr()));
  }
  ///@}

  ///@{
  /// Module number `index`; IndexError if it is out of range.
  [[nodiscard]] std::shared_ptr<Module> ptr(std::size_t index) const;
  [[nodiscard]] std::shared_ptr<Module> operator[](std::size_t index) const { return ptr(index); }
  ///@}
  /// The same as its class, or null if it has another; IndexError if it is out of range.
  template <std::derived_from<Module> M>
  [[nodiscard]] std::shared_ptr<M> ptr(std::size_t index) const {
    return std::dynamic_pointer_cast<M>(ptr(index));
  }
  /// The same as its class: `list->at<nn::LinearImpl>(0)`; IndexError if it is out of range, TypeError for another
  /// class.
  template <std::derived_from<Module> M>
  [[nodiscard]] M& at(std::size_t index) const {
    auto* const module = dynamic_cast<M*>(ptr(index).get());
    if (module == nullptr) detail::fail_class_in_list(*ptr(index));
    return *module;
  }
  /// The number of modules.
  [[nodiscard]] std::size_t size() const noexcept { return modules_.size(); }
  /// Whether there are no modules.
  [[nodiscard]] bool is_empty() const noexcept { return modules_.empty(); }
  ///@{
  /// The modules in their order, each a std::shared_ptr<Module>.
  [[nodiscard]] Iterator begin() noexcept { return modules_.begin(); }
  [[nodiscard]] Iterator end() noexcept { return modules_.end(); }
  [[nodiscard]] ConstIterator begin() const noexcept { return modules_.begin(); }
  [[nodiscard]] ConstIterator end() const noexcept { return modules_.end(); }
  ///@}

 private:
  Modules modules_;
};
/// Holds a ModuleListImpl: `nn::ModuleList(nn::Linear(3, 4), nn::ReLU())`.
D2L_MODULE(ModuleList);

}  // namespace d2l::nn
