// SPDX-License-Identifier: MIT
// Options of optimizers: checks, texts, and values by name.
#pragma once

#include <fmt/format.h>

#include <string>

#include "d2l/optim/optimizer.h"

namespace d2l::detail {

/// ValueError.
[[noreturn]] void refuse_option(const std::string& sentence, const char* fix);
/// ValueError "Invalid learning rate: -1" unless the value is at least 0; `what` is "learning rate".
void check_not_negative(double value, const char* what);
/// ValueError "Invalid beta parameter at index 0: 1.0" unless the value is in [0, 1).
void check_beta(double value, int index);

/// A number as Python prints it, but without ".0": 0, 0.1.
inline std::string number_text(double number) { return fmt::format("{}", number); }
inline const char* bool_text(bool value) { return value ? "True" : "False"; }

/// The options of a group as an optimizer's own class; ValueError if they belong to another optimizer, "SGD".
template <class Options>
const Options& options_of(const optim::OptimizerOptions& options, const char* optimizer) {
  const auto* const own = dynamic_cast<const Options*>(&options);
  if (own == nullptr) {
    refuse_option(fmt::format("{} was given the options of another optimizer", optimizer),
                  "use its own class of options");
  }
  return *own;
}

/// "SGD (", the lines of each group, and ")".
template <class Options, class Lines>
std::string groups_text(const optim::Optimizer& optimizer, const Lines& lines) {
  std::string result = optimizer.name() + " (";
  std::size_t number = 0;
  for (const auto& group : optimizer.param_groups()) {
    result += fmt::format("\nParameter Group {}\n", number++) + lines(static_cast<const Options&>(group.options()));
  }
  return result + ")";
}

/// Adds options to values by name.
struct CollectOptions {
  optim::OptionValues& values;
  template <class T>
  void operator()(const char* name, const T& option) const {
    values[name] = static_cast<double>(option);
  }
};

/// Sets options from values by name; ValueError for a missing one.
struct AssignOptions {
  const optim::OptionValues& values;
  template <class T>
  void operator()(const char* name, T& option) const {
    option = static_cast<T>(value_of(name));
  }
  [[nodiscard]] double value_of(const char* name) const;
};

}  // namespace d2l::detail
