// SPDX-License-Identifier: MIT
// ./learn grade: builds the grading program and runs it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/machine.h"
#include "base/process.h"
#include "build/build.h"
#include "build/choice.h"
#include "commands/subcommand.h"
#include "course/course.h"

namespace d2l::runner {
namespace {

/// Says before a long build how long it takes; measured: 1.5 s a file on one core.
void announce(int steps) {
  constexpr int few = 20;
  if (steps <= few) return;
  const int minutes = (steps * 3 / 2 / parallel_jobs() + 59) / 60;
  fmt::print("This grading first compiles {} files, about {} minute{} on this machine. Later ones begin at once.\n",
             steps, minutes, minutes == 1 ? "" : "s");
  std::fflush(stdout);
}

int grade_submissions(const Options& options) {
  std::vector<std::string> arguments = options.rest;
  if (!std::filesystem::exists(root() / "common" / "course" / "runner" / "grading"))
    throw Stop(wrong_usage, "The tree for students cannot grade. To check your exercises: ./learn check");
  const auto cuda = std::remove(arguments.begin(), arguments.end(), "--cuda");
  const auto exercises = find_exercises(root());
  const bool kernels = std::any_of(exercises.begin(), exercises.end(), [](const Exercise& e) { return e.is_cuda(); });
  // Submissions with kernels are compiled with the emulator, which only the build without CUDA has.
  const Build build(kernels && cuda == arguments.end() ? "cpu" : choose(cuda != arguments.end()).preset);
  arguments.erase(cuda, arguments.end());
  const bool help = std::any_of(arguments.begin(), arguments.end(),
                                [](const std::string& argument) { return argument == "-h" || argument == "--help"; });
  if (!help) announce(build.steps_left({"grading_kit"}));
  build.make({help ? "learn_grade" : "grading_kit"}, "Building the grading program");
  Command command{(build.folder() / "common" / "course" / "runner" / "learn_grade").string(), "--course",
                  root().string(), "--build", build.folder().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, std::filesystem::current_path());
}

}  // namespace

Subcommand grade_subcommand() {
  return {"grade",
          "for instructors: compile and check submissions in a sandbox",
          grade_submissions,
          {},
          Subcommand::Rest::all};
}

}  // namespace d2l::runner
