// SPDX-License-Identifier: MIT
// learn_runner: the program that the script `learn` starts.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "base/error.h"
#include "commands/subcommand.h"

int main(int count, char** arguments) {
  using namespace d2l::runner;
  try {
    return run_command_line(count, arguments);
  } catch (const Stop& stop) {
    fmt::print(stderr, "{}\n", stop.what());
    return stop.code();
  } catch (const std::exception& problem) {
    fmt::print(stderr, "learn: {}\n", problem.what());
    return failed;
  }
}
