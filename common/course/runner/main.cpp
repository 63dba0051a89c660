// SPDX-License-Identifier: MIT
// learn_runner: the program that the script `learn` starts.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <system_error>

#include "base/error.h"
#include "base/terminal.h"
#include "commands/subcommand.h"

int main(int count, char** arguments) {
  using namespace d2l::runner;
  const auto cannot_write = [](int error) {
    return fmt::format("The standard output cannot be written: {}", std::strerror(error));
  };
  try {
    const int code = run_command_line(count, arguments);
    if (std::fflush(stdout) == 0) return code;
    throw Stop(failed, cannot_write(errno));
  } catch (const Stop& stop) {
    print_wrapped(stderr, fmt::format("{}\n", stop.what()));
    return stop.code();
  } catch (const std::system_error& problem) {  // of fmt::print(), when more is printed than the buffer holds
    fmt::print(
        stderr, "{}\n",
        std::ferror(stdout) != 0 ? cannot_write(problem.code().value()) : fmt::format("learn: {}", problem.what()));
    return failed;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "learn: {}\n", problem.what());
    return failed;
  }
}
