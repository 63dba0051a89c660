// SPDX-License-Identifier: MIT
#include "d2l/nn/module_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/messages.h"

namespace d2l {

void detail::check_module_index(std::size_t index, std::size_t count) {
  if (index < count) return;
  fail<IndexError>("ModuleList", fmt::format("index {} is out of range", index),
                   fmt::format("(it has {} module{})", count, count == 1 ? "" : "s"), "size() gives their number");
}

void detail::fail_class_in_list(const nn::Module& module) {
  fail<TypeError>("ModuleList", fmt::format("the module is a {}", module.name()), {},
                  "ask for its class, or use operator[]");
}

namespace nn {

std::shared_ptr<Module> ModuleListImpl::clone() const {
  auto copy = std::make_shared<ModuleListImpl>();
  for (const auto& module : modules_) copy->push_back(module->clone());
  copy->train(is_training());
  return copy;
}

void ModuleListImpl::push_back(std::shared_ptr<Module> module) {
  modules_.push_back(register_module(std::to_string(size()), std::move(module)));
}

void ModuleListImpl::insert(std::size_t index, std::shared_ptr<Module> module) {
  detail::check_module_index(index, size() + 1);
  push_back(std::move(module));
  std::rotate(modules_.begin() + static_cast<std::ptrdiff_t>(index), modules_.end() - 1, modules_.end());
  for (std::size_t i = index; i < size(); ++i) replace_module(std::to_string(i), modules_[i]);
}

std::shared_ptr<Module> ModuleListImpl::ptr(std::size_t index) const {
  detail::check_module_index(index, size());
  return modules_[index];
}

}  // namespace nn
}  // namespace d2l
