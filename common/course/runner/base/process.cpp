// SPDX-License-Identifier: MIT
#include "base/process.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "base/error.h"

namespace d2l::runner {
namespace {

constexpr int cannot_start = 127;

/// In the child: runs the program, or exits with 127.
[[noreturn]] void execute(const Command& command, const std::filesystem::path& folder) {
  std::vector<char*> arguments;
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  if (chdir(folder.c_str()) == 0) execvp(arguments[0], arguments.data());
  std::fprintf(stderr, "%s: %s\n", arguments[0], std::strerror(errno));
  _exit(cannot_start);
}

}  // namespace

int start(const Command& command, const std::filesystem::path& folder, const std::function<void()>& prepare) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Stop(failed, fmt::format("{} cannot be started: {}", command.front(), std::strerror(errno)));
  if (child == 0) {
    prepare();
    execute(command, folder);
  }
  return child;
}

int wait_for(int child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw Stop(failed, fmt::format("waiting for a program: {}", std::strerror(errno)));
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int run(const Command& command, const std::filesystem::path& folder) {
  return wait_for(start(command, folder, [] {}));
}

std::string signal_words(int code) {
  if (code <= 128 || code > 128 + 64) return {};
  return fmt::format("ended by a signal: {}", strsignal(code - 128));
}

std::filesystem::path find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::filesystem::path candidate = std::filesystem::path(folder) / name;
    if (access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate)) return candidate;
  }
  return {};
}

}  // namespace d2l::runner
