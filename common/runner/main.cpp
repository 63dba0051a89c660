// SPDX-License-Identifier: MIT
// learn_runner: the program that the script `learn` starts.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "base/error.h"
#include "base/terminal.h"
#include "base/terminal_text.h"
#include "commands/subcommand.h"

int main(int count, char** arguments) {
  using namespace d2l::runner;
  try {
    const int code = run_command_line(count, arguments);
    if (std::fflush(stdout) == 0) return code;
    throw Stop(failed, fmt::format("The standard output cannot be written: {}", std::strerror(errno)));
  } catch (const Stop& stop) {
    fmt::print(stderr, "{}\n",
               on_terminal() ? d2l::detail::wrapped(stop.what(), d2l::detail::terminal_width()) : stop.what());
    return stop.code();
  } catch (const std::exception& problem) {
    fmt::print(stderr, "learn: {}\n", problem.what());
    return failed;
  }
}
