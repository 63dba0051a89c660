// SPDX-License-Identifier: MIT
// load_state_dict: copies values into the parameters of the same names, and reports the others as PyTorch does.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/nn/module.h"
#include "d2l/nn/parameter.h"
#include "d2l/repr.h"

namespace d2l::nn {

namespace {

constexpr const char* advice =
    "The other values were copied. state_dict() gives the module's keys and shapes; strict=false ignores missing and "
    "unexpected keys.";

/// "a", "b".
std::string quoted(const std::vector<std::string>& keys) { return fmt::format("\"{}\"", fmt::join(keys, "\", \"")); }

/// ['a', 'b'].
std::string listed(const std::vector<std::string>& keys) {
  return keys.empty() ? "[]" : fmt::format("['{}']", fmt::join(keys, "', '"));
}

void check_initialized(const Tensor& value) {
  if (!is_uninitialized(value)) return;
  detail::fail<ValueError>(
      "load_state_dict",
      "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` "
      "when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the "
      "parameters before accessing their attributes.");
}

/// Copies one value and returns the problem, or "".
std::string copy_value(const std::string& key, const Tensor& parameter, Tensor value) {
  check_initialized(value);
  if (parameter.dim() == 0 && value.dim() == 1) value = value.select(0, 0);
  if (!(parameter.sizes() == value.sizes())) {
    return fmt::format(
        "size mismatch for {}: copying a param with shape {} from checkpoint, the shape in current model is {}.", key,
        repr(value.sizes()), repr(parameter.sizes()));
  }
  try {
    Tensor(parameter).copy_(value);
  } catch (const FatalDeviceError&) {
    throw;
  } catch (const Error& error) {
    return fmt::format(
        "While copying the parameter named \"{}\", whose dimensions in the model are {} and whose dimensions in the "
        "checkpoint are {}, an exception occurred : {}.",
        key, repr(parameter.sizes()), repr(value.sizes()), error.what());
  }
  return {};
}

}  // namespace

/// A dictionary that is being loaded, and its problems so far.
struct Module::Loading {
  const StateDict& dict;
  IncompatibleKeys keys;
  std::vector<std::string> problems;

  void check_expected(const std::string& prefix, const Module& module) {
    for (const auto& item : dict) {
      if (!item.key().starts_with(prefix)) continue;
      const auto name = item.key().substr(prefix.size(), item.key().find('.', prefix.size()) - prefix.size());
      const Tensor* const parameter = module.parameters_.find(name);
      if ((parameter != nullptr && parameter->defined()) || module.children_.contains(name)) continue;
      keys.unexpected_keys.push_back(item.key());
    }
  }
};

void Module::load(const std::string& prefix, Loading& loading) {
  for (const auto& item : parameters_) {
    const Tensor& parameter = item.value();
    if (!parameter.defined()) continue;
    const auto key = prefix + item.key();
    const Tensor* const value = loading.dict.find(key);
    if (value == nullptr) {
      loading.keys.missing_keys.push_back(key);
      continue;
    }
    if (!value->defined()) {
      loading.problems.push_back(fmt::format(
          "While copying the parameter named \"{}\", expected torch.Tensor or Tensor-like object from checkpoint but "
          "received an undefined one",
          key));
      continue;
    }
    if (is_uninitialized(parameter)) {
      if (is_uninitialized(*value)) continue;
      materialize(parameter, value->sizes());
    }
    auto problem = copy_value(key, parameter, *value);
    if (!problem.empty()) loading.problems.push_back(std::move(problem));
  }
  loading.check_expected(prefix, *this);
  for (const auto& child : children_) child.value()->load(prefix + child.key() + ".", loading);
}

IncompatibleKeys Module::load_state_dict(const StateDict& dict, bool strict) {
  const NoGradGuard unrecorded;
  Loading loading{dict, {}, {}};
  load("", loading);
  auto& [missing, unexpected] = loading.keys;
  auto& problems = loading.problems;
  if (strict && !unexpected.empty()) {
    problems.insert(problems.begin(), fmt::format("Unexpected key(s) in state_dict: {}. ", quoted(unexpected)));
  }
  if (strict && !missing.empty()) {
    problems.insert(problems.begin(), fmt::format("Missing key(s) in state_dict: {}. ", quoted(missing)));
  }
  if (problems.empty()) return loading.keys;
  detail::fail<ValueError>("load_state_dict", fmt::format("Error(s) in loading state_dict for {}:\n\t{}\n{}", name(),
                                                          fmt::join(problems, "\n\t"), advice));
}

std::string repr(const IncompatibleKeys& keys) {
  if (keys.missing_keys.empty() && keys.unexpected_keys.empty()) return "<All keys matched successfully>";
  return fmt::format("_IncompatibleKeys(missing_keys={}, unexpected_keys={})", listed(keys.missing_keys),
                     listed(keys.unexpected_keys));
}

std::ostream& operator<<(std::ostream& out, const IncompatibleKeys& keys) { return out << repr(keys); }

}  // namespace d2l::nn
