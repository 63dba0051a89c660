// SPDX-License-Identifier: MIT
// load_state_dict: copies values into the parameters and buffers of the same names, and reports the others as PyTorch
// does; save and load, which do the same with a file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/nn/module.h"
#include "d2l/nn/parameter.h"
#include "d2l/repr.h"
#include "d2l/safetensors.h"

namespace d2l {

namespace {

void check_not_null(const std::shared_ptr<nn::Module>& module, const char* operation) {
  if (module == nullptr) detail::fail<ValueError>(operation, "the module is null", {}, "create the module first");
}

}  // namespace

namespace nn {

namespace {

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

/// Copies one value, or only compares the shapes; returns the problem, or "".
std::string copy_value(const std::string& key, const Tensor& parameter, Tensor value, bool copies) {
  check_initialized(value);
  if (parameter.dim() == 0 && value.dim() == 1) value = value.select(0, 0);
  if (!(parameter.sizes() == value.sizes())) {
    return fmt::format(
        "size mismatch for {}: copying a param with shape {} from checkpoint, the shape in current model is {}.", key,
        repr(value.sizes()), repr(parameter.sizes()));
  }
  if (!copies) return {};
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
  bool copies;
  IncompatibleKeys keys;
  std::vector<std::string> problems;

  void check_expected(const std::string& prefix, const Module& module) {
    for (const auto& item : dict) {
      if (!item.key().starts_with(prefix)) continue;
      const auto name = item.key().substr(prefix.size(), item.key().find('.', prefix.size()) - prefix.size());
      const Tensor* const parameter = module.parameters_.find(name);
      const Tensor* const own = parameter != nullptr ? parameter : module.buffers_.find(name);
      if ((own != nullptr && own->defined()) || module.children_.contains(name)) continue;
      keys.unexpected_keys.push_back(item.key());
    }
  }

  /// ValueError, with all problems, if there is one.
  void finish(const Module& module, const char* operation, bool strict, const char* consequence) {
    const auto& [missing, unexpected] = keys;
    if (strict && !unexpected.empty()) {
      problems.insert(problems.begin(), fmt::format("Unexpected key(s) in state_dict: {}. ", quoted(unexpected)));
    }
    if (strict && !missing.empty()) {
      problems.insert(problems.begin(), fmt::format("Missing key(s) in state_dict: {}. ", quoted(missing)));
    }
    if (problems.empty()) return;
    detail::fail<ValueError>(operation, fmt::format("Error(s) in loading state_dict for {}:\n\t{}\n{}", module.name(),
                                                    fmt::join(problems, "\n\t"), consequence));
  }
};

void Module::load(const Tensor& own, const std::string& key, Loading& loading) {
  if (!own.defined()) return;
  const Tensor* const value = loading.dict.find(key);
  if (value == nullptr) {
    loading.keys.missing_keys.push_back(key);
    return;
  }
  if (!value->defined()) {
    loading.problems.push_back(fmt::format(
        "While copying the parameter named \"{}\", expected torch.Tensor or Tensor-like object from checkpoint but "
        "received an undefined one",
        key));
    return;
  }
  if (is_uninitialized(own)) {
    if (is_uninitialized(*value) || !loading.copies) return;
    materialize(own, value->sizes());
  }
  auto problem = copy_value(key, own, *value, loading.copies);
  if (!problem.empty()) loading.problems.push_back(std::move(problem));
}

void Module::load(const std::string& prefix, Loading& loading) {
  for (const auto& item : parameters_) load(item.value(), prefix + item.key(), loading);
  for (const auto& item : buffers_) load(item.value(), prefix + item.key(), loading);
  loading.check_expected(prefix, *this);
  for (const auto& child : children_) child.value()->load(prefix + child.key() + ".", loading);
}

IncompatibleKeys Module::load_state_dict(const StateDict& dict, bool strict) {
  const NoGradGuard unrecorded;
  Loading loading{dict, true, {}, {}};
  load("", loading);
  loading.finish(*this, "load_state_dict", strict,
                 "The other values were copied. state_dict() gives the module's keys and shapes; strict=false ignores "
                 "missing and unexpected keys.");
  return loading.keys;
}

std::string repr(const IncompatibleKeys& keys) {
  if (keys.missing_keys.empty() && keys.unexpected_keys.empty()) return "<All keys matched successfully>";
  return fmt::format("_IncompatibleKeys(missing_keys={}, unexpected_keys={})", listed(keys.missing_keys),
                     listed(keys.unexpected_keys));
}

std::ostream& operator<<(std::ostream& out, const IncompatibleKeys& keys) { return out << repr(keys); }

}  // namespace nn

void save(const nn::Module& module, const std::string& path) {
  save_file(module.state_dict(), path, {{"format", "pt"}});
}

void load(nn::Module& module, const std::string& path) {
  const NoGradGuard unrecorded;
  const StateDict dict = load_file(path);
  nn::Module::Loading checking{dict, false, {}, {}};
  module.load("", checking);
  checking.finish(
      module, "load", true,
      "Nothing was copied. state_dict() gives the module's keys and shapes, SafetensorsFile those of a file.");
  module.load_state_dict(dict);
}

void save(const std::shared_ptr<nn::Module>& module, const std::string& path) {
  check_not_null(module, "save");
  save(*module, path);
}

void load(const std::shared_ptr<nn::Module>& module, const std::string& path) {
  check_not_null(module, "load");
  load(*module, path);
}

}  // namespace d2l
