// SPDX-License-Identifier: MIT
#include "build/build.h"

#include <fmt/format.h>

#include <fstream>
#include <regex>

#include "base/error.h"
#include "base/lock.h"
#include "base/machine.h"
#include "base/run_limited.h"
#include "base/terminal.h"
#include "build/first_error.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

/// The progress in a line of ninja or make, "[3/40]" or "[ 12%]"; empty for other lines, and for "[0/2]", which ninja
/// prints when it looks for new files.
std::string progress_in(const std::string& line) {
  static const std::regex step(R"(^\[ *([1-9]\d*/\d+|\d+%)\])");
  std::smatch match;
  return std::regex_search(line, match, step) ? match[1].str() : std::string();
}

Ended run_logged(const Command& command, const fs::path& log, const std::string& title,
                 const std::function<bool()>& interrupted = {}) {
  const FileLock lock(log.parent_path().string() + ".lock", interrupted);  // ninja does not lock; ./learn takes it too
  std::ofstream out(log);
  Progress progress(title);
  return run_limited(command, root(), {{}, interrupted}, [&](const std::string& line) {
    out << line << '\n';
    const std::string step = progress_in(line);
    if (!step.empty()) progress.step(step);
  });
}

Command build_command(const fs::path& folder, const Build::Targets& targets) {
  Command command{"cmake", "--build", folder.string(), "--parallel", std::to_string(parallel_jobs())};
  if (!targets.empty()) {
    command.emplace_back("--target");
    command.insert(command.end(), targets.begin(), targets.end());
  }
  return command;
}

[[noreturn]] void stop(const std::string& title, const fs::path& log, const std::string& fix) {
  throw Stop(failed, fmt::format("{} failed. The first error:\n\n{}\nThe whole log: {}\n{}", title,
                                 first_error(log, root(), false), log.string(), fix));
}

}  // namespace

Build::Build(const std::string& preset) : folder_(root() / "build" / preset) {
  if (fs::exists(folder_ / "build.ninja") || fs::exists(folder_ / "Makefile")) return;
  fs::create_directories(folder_);
  Command command{"cmake", "-S", root().string(), "--preset", preset};
  if (!find_program("ninja").empty()) command.insert(command.end(), {"-G", "Ninja"});
  if (preset == "cuda") command.push_back("-DCMAKE_CUDA_COMPILER=" + cuda_compiler().string());
  const fs::path log = folder_ / "configure.log";
  if (run_logged(command, log, "Configuring " + preset).code == 0) return;
  stop("Configuring " + preset, log,
       "If packages are missing: ./learn setup. If the cause is an older build: ./learn clean");
}

int Build::steps_left(const Targets& targets) const {
  int steps = 0;
  if (!fs::exists(folder_ / "build.ninja")) return steps;
  Command command = build_command(folder_, targets);
  command.insert(command.end(), {"--", "-n"});
  run_reading(command, root(), [&](const std::string& line) {
    const std::string step = progress_in(line);
    const auto slash = step.find('/');
    if (slash != std::string::npos) steps = std::stoi(step.substr(slash + 1));
  });
  return steps;
}

Built Build::attempt(const Targets& targets, const std::string& title, const Attempt& how) const {
  Command command = build_command(folder_, targets);
  if (how.keep_going) {
    const bool ninja = fs::exists(folder_ / "build.ninja");
    command.insert(command.end(), {"--", ninja ? "-k0" : "-k"});
  }
  const Ended ended = run_logged(command, log(), title, how.interrupted);
  if (ended.why == Ended::Why::interrupted) return Built::interrupted;
  return ended.code == 0 ? Built::whole : Built::broken;
}

void Build::make(const Targets& targets, const std::string& title) const {
  if (attempt(targets, title) != Built::whole) stop(title, log(), "");
}

}  // namespace d2l::runner
