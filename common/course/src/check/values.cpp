// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "d2l/check.h"

namespace d2l::check {
namespace {

[[noreturn]] void miss(const std::string& name) {
  const bool of_tensor = name.ends_with(".label") || name.ends_with(".owner");
  const std::string what = name.substr(0, of_tensor ? name.rfind('.') : std::string::npos);
  throw CheckError(fmt::format("there is no result \"{}\": the function stopped earlier", what));
}

/// The value of type T; CheckError, "NAME is not WHAT", for another type.
template <class T, class Fact>
const T& as(const Fact& fact, const std::string& name, const char* what) {
  if (const auto* const value = std::get_if<T>(&fact)) return *value;
  throw CheckError(name + " is not " + what);
}

}  // namespace

void Values::put(const std::string& name, const Tensor& tensor) {
  const NoGradGuard no_gradients;
  if (tensors_.contains(name)) tensors_.erase(name);
  tensors_.insert(name, tensor.detach().cpu().clone());
}

bool Values::contains(const std::string& name) const { return tensors_.contains(name) || facts_.count(name) != 0; }

Tensor Values::tensor(const std::string& name) const {
  if (!tensors_.contains(name)) miss(name);
  return tensors_[name];
}

const Values::Fact& Values::fact(const std::string& name) const {
  const auto found = facts_.find(name);
  if (found == facts_.end()) miss(name);
  return found->second;
}

std::int64_t Values::integer(const std::string& name) const { return as<std::int64_t>(fact(name), name, "an integer"); }

double Values::number(const std::string& name) const {
  const Fact& value = fact(name);
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return as<double>(value, name, "a number");
}

bool Values::flag(const std::string& name) const { return as<bool>(fact(name), name, "a flag"); }

const std::string& Values::text(const std::string& name) const { return as<std::string>(fact(name), name, "a text"); }

}  // namespace d2l::check
