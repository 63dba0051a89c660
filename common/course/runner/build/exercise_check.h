// SPDX-License-Identifier: MIT
// Checks a student's solution: builds it, runs it within a time limit, and reads its report.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "build/build.h"
#include "course/exercises.h"

namespace d2l::runner {

/// The result of a check.
struct CheckResult {
  /// "pass", "fail" or "not_verifiable"; "not_checked" when the machine or its settings prevented the check; empty when
  /// it was interrupted.
  std::string verdict;
  int points = 0;
  int possible = 0;
  std::string remark;  ///< for the table: "does not compile", or the first item that failed
};

/// How to check.
struct CheckOptions {
  std::optional<std::uint64_t> seed;
  std::chrono::seconds limit{60};
  bool quiet = false;                 ///< print nothing: the caller prints a table
  bool keys = false;                  ///< name the keys of watch instead of commands
  std::function<bool()> interrupted;  ///< stops the build or the program when it returns true
};

/// Builds and checks an exercise, prints the output of the compiler or the check, and records the verdict.
CheckResult check_exercise(const Exercise& exercise, const Build& build, const CheckOptions& options);

/// Stop when the exercise has no demonstration.
void require_demonstration(const Exercise& exercise);
/// Builds `target`, an exercise's program with the student's code or the solution, and runs its demonstration; the exit
/// code.
int demonstrate(const Exercise& exercise, const std::string& target, const std::string& title, bool cuda);

}  // namespace d2l::runner
