// SPDX-License-Identifier: MIT
#include "optim/options.h"

#include "core/messages.h"
#include "d2l/repr.h"

namespace d2l {

namespace detail {

void refuse_option(const std::string& sentence, const char* fix) { fail<ValueError>("Optimizer", sentence, {}, fix); }

void check_not_negative(double value, const char* what) {
  if (!(value >= 0)) refuse_option(fmt::format("Invalid {}: {}", what, number_text(value)), "give 0 or more");
}

void check_beta(double value, int index) {
  if (value >= 0 && value < 1) return;
  refuse_option(fmt::format("Invalid beta parameter at index {}: {}", index, repr(value)),
                "give a number from 0 to below 1");
}

double AssignOptions::value_of(const char* name) const {
  const auto found = values.find(name);
  if (found == values.end()) {
    refuse_option(fmt::format("the option {} has no value", name), "give a value for every option");
  }
  return found->second;
}

}  // namespace detail

namespace optim {

OptionValues OptimizerOptions::values() const { return {{"lr", get_lr()}}; }
void OptimizerOptions::set_values(const OptionValues& values) { set_lr(detail::AssignOptions{values}.value_of("lr")); }

}  // namespace optim
}  // namespace d2l
