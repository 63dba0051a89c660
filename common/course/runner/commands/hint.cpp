// SPDX-License-Identifier: MIT
// ./learn hint
#include <fmt/format.h>

#include "base/error.h"
#include "commands/subcommand.h"
#include "course/hints.h"
#include "course/progress.h"

namespace d2l::runner {
namespace {

int hint_number(const std::string& text) {
  if (text.empty()) return 0;
  if (text.size() > 4 || text.find_first_not_of("0123456789") != std::string::npos || std::stoi(text) == 0) {
    throw Stop(wrong_usage, fmt::format("\"{}\" is not the number of a hint: they begin at 1.", text));
  }
  return std::stoi(text);
}

int hint_exercise(const Options& options) {
  const std::string& wanted = options.wanted;
  const std::string& number = options.number;
  const bool lone_number =
      number.empty() && !wanted.empty() && wanted.find_first_not_of("0123456789") == std::string::npos;
  show_hint(named_or_current(lone_number ? "" : wanted), hint_number(lone_number ? wanted : number));
  return 0;
}

}  // namespace

Subcommand hint_subcommand() {
  return {"hint",
          "the next hint, or one by its number",
          hint_exercise,
          {exercise_argument("the one you are at if none"),
           {"number", "the hint's number; the next one if none", &Options::number}}};
}

}  // namespace d2l::runner
