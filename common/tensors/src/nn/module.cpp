// SPDX-License-Identifier: MIT
// Module: its parameters, buffers and children.
#include "d2l/nn/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/nn/any_module.h"
#include "d2l/repr.h"
#include "nn/parameter.h"

namespace d2l {

namespace detail {

void fail_empty_holder() {
  fail<ValueError>("Module", "Accessing empty ModuleHolder", {}, "assign a module to it first");
}

namespace {

/// ValueError for an invalid name of a parameter or child.
void check_name(const std::string& name, bool taken, const nn::Module& module, const char* operation,
                const char* kind) {
  const char* const fix = "give a name without dots that the module does not have yet";
  if (name.empty()) fail<ValueError>(operation, fmt::format("{} name can't be empty string \"\"", kind), {}, fix);
  if (name.find('.') != std::string::npos) {
    fail<ValueError>(operation, fmt::format("{} name can't contain \".\", got: {}", kind, name), {}, fix);
  }
  if (taken) {
    fail<ValueError>(operation, fmt::format("attribute '{}' already exists", name),
                     fmt::format("(in a {})", module.name()), fix);
  }
}

bool contains(const nn::Module& module, const nn::Module& other) {
  if (&module == &other) return true;
  for (const auto& child : module.named_children()) {
    if (contains(*child.value(), other)) return true;
  }
  return false;
}

/// A set of tensors; a small one is searched linearly.
class Seen {
 public:
  /// True if the tensor is new.
  bool add(const TensorImpl* impl) {
    const auto end = few_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (count_ < few_.size()) {
      if (std::find(few_.begin(), end, impl) != end) return false;
      few_[count_++] = impl;
      return true;
    }
    if (many_.empty()) many_.insert(few_.begin(), few_.end());
    return many_.insert(impl).second;
  }

 private:
  std::array<const TensorImpl*, 32> few_{};
  std::size_t count_ = 0;
  std::unordered_set<const TensorImpl*> many_;
};

/// The tensors that it is called with, each once.
struct Distinct {
  Seen seen;
  std::vector<Tensor> tensors;
  void operator()(const Tensor& tensor) {
    if (seen.add(tensor.impl().get())) tensors.push_back(tensor);
  }
};

/// The same, by name.
struct DistinctNamed {
  explicit DistinctNamed(std::string description) : tensors(std::move(description)) {}
  Seen seen;
  OrderedDict<std::string, Tensor> tensors;
  void operator()(std::string name, const Tensor& tensor) {
    if (seen.add(tensor.impl().get())) tensors.insert(std::move(name), tensor);
  }
};

}  // namespace
}  // namespace detail

namespace nn {

Module::Module() = default;
Module::Module(std::string name) : name_(std::move(name)) {}
Module::~Module() = default;

std::string Module::extra_repr() const { return {}; }

std::vector<std::shared_ptr<Module>> Module::children() const { return children_.values(); }

Tensor Module::forward(const Tensor& /*input*/) {
  detail::fail<ValueError>("forward", fmt::format("Module [{}] is missing the required \"forward\" function", name()),
                           {}, "define Tensor forward(const Tensor& input) override in its class");
}

std::shared_ptr<Module> Module::clone() const {
  detail::fail<ValueError>("clone", fmt::format("clone() has not been implemented for {}", name()), {},
                           "override it, or create a second module and load the state_dict() of the first");
}

void Module::check_free(const std::string& name, const char* operation, const char* kind) const {
  const bool taken = parameters_.contains(name) || buffers_.contains(name) || children_.contains(name);
  detail::check_name(name, taken, *this, operation, kind);
}

Tensor& Module::register_parameter(std::string name, Tensor tensor, bool requires_grad) {
  check_free(name, "register_parameter", "parameter");
  if (tensor.defined()) detail::make_parameter(tensor, requires_grad);
  return parameters_.insert(std::move(name), std::move(tensor));
}

Tensor& Module::register_buffer(std::string name, Tensor tensor) {
  check_free(name, "register_buffer", "buffer");
  return buffers_.insert(std::move(name), std::move(tensor));
}

void Module::check_child(const std::shared_ptr<Module>& module, const char* operation) const {
  if (module == nullptr) {
    detail::fail<ValueError>(operation, fmt::format("{} is not a Module", name()), "(it is null)",
                             "create the module first");
  }
  if (detail::contains(*module, *this)) {
    detail::fail<ValueError>(operation, fmt::format("{} would contain itself", name()), {},
                             "register it in a module that it does not contain");
  }
}

void Module::add_child(const std::string& name, std::shared_ptr<Module> module) {
  check_free(name, "register_module", "module");
  check_child(module, "register_module");
  children_.insert(name, std::move(module));
}

void Module::replace_module(const std::string& name, std::shared_ptr<Module> module) {
  auto& child = children_[name];
  check_child(module, "replace_module");
  child = std::move(module);
}

template <class Visit>
void Module::each(Tensors Module::*tensors, bool recurse, Visit& visit) const {
  for (const auto& item : this->*tensors) {
    if (item.value().defined()) visit(item.value());
  }
  if (!recurse) return;
  for (const auto& child : children_) child.value()->each(tensors, true, visit);
}

template <class Visit>
void Module::each_named(Tensors Module::*tensors, const std::string& prefix, bool recurse, Visit& visit) const {
  for (const auto& item : this->*tensors) {
    if (item.value().defined()) visit(prefix + item.key(), item.value());
  }
  if (!recurse) return;
  for (const auto& child : children_) child.value()->each_named(tensors, prefix + child.key() + ".", true, visit);
}

/// The parameters and then the buffers of each module, in the order of PyTorch's dictionaries.
template <class Visit>
void Module::each_of_state(const std::string& prefix, Visit& visit) const {
  each_named(&Module::parameters_, prefix, false, visit);
  each_named(&Module::buffers_, prefix, false, visit);
  for (const auto& child : children_) child.value()->each_of_state(prefix + child.key() + ".", visit);
}

std::vector<Tensor> Module::parameters(bool recurse) const {
  detail::Distinct result;
  each(&Module::parameters_, recurse, result);
  return std::move(result.tensors);
}

std::vector<Tensor> Module::buffers(bool recurse) const {
  detail::Distinct result;
  each(&Module::buffers_, recurse, result);
  return std::move(result.tensors);
}

OrderedDict<std::string, Tensor> Module::named_parameters(bool recurse) const {
  detail::DistinctNamed result("Parameter");
  each_named(&Module::parameters_, "", recurse, result);
  return std::move(result.tensors);
}

OrderedDict<std::string, Tensor> Module::named_buffers(bool recurse) const {
  detail::DistinctNamed result("Buffer");
  each_named(&Module::buffers_, "", recurse, result);
  return std::move(result.tensors);
}

Module& Module::apply(const std::function<void(Module&)>& function) {
  for (const auto& child : children_) child.value()->apply(function);
  function(*this);
  return *this;
}

bool Module::has_uninitialized_params() const {
  return std::any_of(parameters_.begin(), parameters_.end(),
                     [](const auto& item) { return is_uninitialized(item.value()); });
}

StateDict Module::state_dict() const {
  StateDict result;
  auto visit = [&](std::string name, const Tensor& parameter) {
    result.insert(std::move(name), is_uninitialized(parameter) ? parameter : parameter.detach());
  };
  each_of_state("", visit);
  return result;
}

namespace {

/// Moves every parameter and buffer before it replaces one, so the module is unchanged if the device runs out of
/// memory.
void replace_all(const Module& module, std::optional<Device> device, std::optional<ScalarType> dtype,
                 bool non_blocking) {
  const NoGradGuard unrecorded;
  std::vector<detail::MovedParameter> moved;
  for (const auto& tensors : {module.parameters(), module.buffers()}) {
    for (const Tensor& tensor : tensors) {
      const auto& impl = *tensor.impl();
      moved.push_back(detail::moved_parameter(tensor, device.value_or(impl.device()),
                                              isFloatingType(impl.dtype) ? dtype.value_or(impl.dtype) : impl.dtype,
                                              non_blocking));
    }
  }
  for (const auto& each : moved) detail::adopt(each);
}

void check_floating(ScalarType dtype) {
  if (isFloatingType(dtype)) return;
  detail::fail<TypeError>(
      "to",
      fmt::format("nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={}", repr(dtype)),
      {}, "parameters are float16, bfloat16, float32 or float64");
}

}  // namespace

Module& Module::to(Device device, ScalarType dtype, bool non_blocking) {
  check_floating(dtype);
  replace_all(*this, device, dtype, non_blocking);
  return *this;
}

Module& Module::to(Device device, bool non_blocking) {
  replace_all(*this, device, std::nullopt, non_blocking);
  return *this;
}

Module& Module::to(ScalarType dtype, bool non_blocking) {
  check_floating(dtype);
  replace_all(*this, std::nullopt, dtype, non_blocking);
  return *this;
}

Module& Module::train(bool on) {
  training_ = on;
  for (const auto& child : children_) child.value()->train(on);
  return *this;
}

void Module::zero_grad(bool set_to_none) {
  const NoGradGuard unrecorded;
  auto visit = [&](const Tensor& parameter) { detail::clear_gradient(parameter, set_to_none); };
  each(&Module::parameters_, true, visit);
}

}  // namespace nn
}  // namespace d2l
