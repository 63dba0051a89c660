// SPDX-License-Identifier: MIT
// Checks what a student wrote: builds it, runs it within a limit, and reads its report.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "build/build.h"
#include "course/exercises.h"

namespace d2l::runner {

/// What came of a check.
struct CheckResult {
  /// "pass", "fail" or "not_verifiable"; empty when it was interrupted.
  std::string verdict;
  int points = 0;
  int possible = 0;
  std::string remark;  ///< a few words for a table: "does not compile", or the first item that failed
};

/// How to check.
struct CheckOptions {
  std::optional<std::uint64_t> seed;
  std::chrono::seconds limit{60};
  bool quiet = false;                 ///< show nothing but the remark: others follow
  std::function<bool()> interrupted;  ///< ends the build or the program when it says true
};

/// Builds and checks an exercise, shows what the compiler or the check says, and keeps the verdict in the records.
CheckResult check_exercise(const Exercise& exercise, const Build& build, const CheckOptions& options);

}  // namespace d2l::runner
