// SPDX-License-Identifier: MIT
// The subcommands of ./learn: their options, and what each does when it is chosen.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace d2l::runner {

/// What the chosen subcommand does; it returns the exit code.
using Action = std::function<int()>;

/// run, list, devices, test, docs and setup.
void add_course_commands(CLI::App& app, Action& chosen);
/// check, watch, hint, next, reset, solution, pack and release.
void add_exercise_commands(CLI::App& app, Action& chosen);

/// grade, whose arguments go to the program that grades.
void add_grade_command(CLI::App& app, Action& chosen);

}  // namespace d2l::runner
