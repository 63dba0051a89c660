// SPDX-License-Identifier: MIT
// What ./learn does with exercises; each returns the exit code.
#pragma once

#include <filesystem>
#include <string>

#include "exercise_check.h"

namespace d2l::runner {

/// Checks one exercise in detail, or several with a table; 0 when each passes or cannot be verified here.
int check_exercises(const std::string& wanted, const CheckOptions& options, bool cuda);
/// Builds an exercise and shows what the student's function does, with measured times.
int demonstrate_exercise(const std::string& wanted, bool cuda);
/// Checks at each save until the student quits.
int watch_exercise(const std::string& wanted, const CheckOptions& options, bool cuda);
/// Prints a hint: the next one, or the one with a number. A lone number means a hint of the exercise at hand.
int hint_exercise(const std::string& wanted, const std::string& number);
/// Prints the first exercise that is left.
int show_next();
/// Puts the stub back, and keeps what was there.
int reset_exercise(const std::string& wanted);
/// Shows the solution of an exercise that was passed, or is spoiled; or what it does.
int show_solution(const std::string& wanted, bool spoil, bool demonstrate, bool cuda);
/// Writes the student's sources and a manifest into an archive.
int pack_exercises(const std::filesystem::path& output, const std::string& name);
/// Writes the tree that students get.
int release_course(const std::filesystem::path& folder);

}  // namespace d2l::runner
