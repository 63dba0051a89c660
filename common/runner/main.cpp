// SPDX-License-Identifier: MIT
// learn_runner: what ./learn hands over to.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "command_line.h"
#include "error.h"

namespace {

using namespace d2l::runner;

int refuse_command(const CLI::App& app, int count, char** words) {
  fmt::print(stderr, "learn: {}. There are:\n",
             count > 1 ? fmt::format("there is no command \"{}\"", words[1]) : "a command is missing");
  for (const CLI::App* command : app.get_subcommands({})) {
    fmt::print(stderr, "  {:<9}{}\n", command->get_name(), command->get_description());
  }
  fmt::print(stderr, "  {:<9}{}\n", "clean", "remove what was built");
  return wrong_usage;
}

int obey(int count, char** words) {
  CLI::App app("Reads, builds and runs the lessons, and checks exercises.", "learn");
  app.require_subcommand(1);
  Action chosen;
  add_course_commands(app, chosen);
  add_exercise_commands(app, chosen);
  add_grade_command(app, chosen);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() != 0 && app.get_subcommands().empty()) return refuse_command(app, count, words);
    return app.exit(problem) == 0 ? 0 : wrong_usage;
  }
  return chosen();
}

}  // namespace

int main(int count, char** words) {
  try {
    return obey(count, words);
  } catch (const Stop& stop) {
    fmt::print(stderr, "{}\n", stop.what());
    return stop.code();
  } catch (const std::exception& problem) {
    fmt::print(stderr, "learn: {}\n", problem.what());
    return failed;
  }
}
