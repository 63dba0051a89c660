// SPDX-License-Identifier: MIT
#include "d2l/nn/sequential.h"

#include <fmt/format.h>

#include "core/messages.h"

namespace d2l {

void detail::fail_other_class(const nn::Module& module) {
  fail<TypeError>("Sequential", fmt::format("the module is a {}", module.name()), {},
                  "ask for its class, or use operator[]");
}

namespace nn {

AnyModule AnyModule::clone() const {
  AnyModule copy(*this);
  copy.module_ = module_->clone();
  return copy;
}

SequentialImpl::SequentialImpl(std::initializer_list<NamedAnyModule> modules) {
  for (const auto& named : modules) push_back(named.name(), named.module());
}

Tensor SequentialImpl::forward(const Tensor& input) {
  if (modules_.empty()) return input;
  Tensor value = modules_.front().forward(input);
  for (std::size_t i = 1; i < modules_.size(); ++i) value = modules_[i].forward(value);
  return value;
}

std::shared_ptr<Module> SequentialImpl::clone() const {
  auto copy = std::make_shared<SequentialImpl>();
  copy->train(is_training());
  std::size_t number = 0;
  for (const auto& child : named_children()) copy->push_back(child.key(), modules_[number++].clone());
  return copy;
}

void SequentialImpl::push_back(AnyModule module) { push_back(std::to_string(size()), std::move(module)); }

void SequentialImpl::push_back(const std::string& name, AnyModule module) {
  register_module(name, module.ptr());
  modules_.push_back(std::move(module));
}

const std::shared_ptr<Module>& SequentialImpl::ptr(std::int64_t index) const {
  const auto count = static_cast<std::int64_t>(size());
  if (index < -count || index >= count) {
    detail::fail<IndexError>("Sequential", fmt::format("index {} is out of range", index),
                             fmt::format("(it has {} module{})", count, count == 1 ? "" : "s"),
                             "size() gives their number");
  }
  return modules_[static_cast<std::size_t>(index < 0 ? index + count : index)].ptr();
}

Sequential::Sequential(std::initializer_list<NamedAnyModule> modules)
    : ModuleHolder(std::make_shared<SequentialImpl>(modules)) {}

}  // namespace nn
}  // namespace d2l
