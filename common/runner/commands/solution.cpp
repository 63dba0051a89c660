// SPDX-License-Identifier: MIT
// ./learn solution
#include "commands/solution.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/process.h"
#include "base/terminal.h"
#include "build/build.h"
#include "build/choice.h"
#include "course/progress.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

/// The exercise that is named, or the one checked last.
Exercise named_or_last(const std::string& wanted) {
  return named_or_current(wanted.empty() ? read_records(root()).last : wanted);
}

}  // namespace

int show_solution(const Options& options) {
  const Exercise exercise = named_or_last(options.wanted);
  const fs::path solution = root() / "solutions" / (exercise.key() + ".cpp");
  if (!fs::exists(solution)) {
    throw Stop(failed, "This tree has no solutions: it was made for students. Ask your teacher for them.");
  }
  if (!options.spoil && !read_records(root()).of(exercise.key()).passed) {
    throw Stop(failed, fmt::format("{} {} is not passed yet. ./learn hint {} helps; --spoil shows the solution now.",
                                   exercise.number, exercise.title, exercise.number));
  }
  if (options.demonstrate && !exercise.demonstrates()) {
    throw Stop(wrong_usage, fmt::format("{} {} has no demonstration.", exercise.number, exercise.title));
  }
  if (!options.demonstrate) {
    const std::string shown = fmt::format("solutions/{}.cpp", exercise.key());
    fmt::print("{}\n\n{}\n", bold(fmt::format("{} {}: {}", exercise.number, exercise.title, shown)),
               read_file(solution));
    if (exercise.demonstrates()) {
      fmt::print("What it does, with measured times: ./learn solution {} --demonstrate{}\n", exercise.number,
                 options.spoil ? " --spoil" : "");
    }
    return 0;
  }
  const Choice choice = choose(options.cuda);
  const Build build(choice.preset);
  build.make({exercise.solution_target()}, "Building the solution of " + exercise.number);
  ensure_two_gpus(choice);
  return run({(build.folder() / "exercises" / exercise.solution_target()).string(), "--demonstrate"},
             fs::current_path());
}

Subcommand solution_subcommand() {
  return {"solution",
          "the solution, after a pass",
          show_solution,
          {exercise_argument("the one checked last if none"),
           {"--spoil", "show it before a pass, too", &Options::spoil},
           {"--demonstrate", "show what it does, with measured times", &Options::demonstrate},
           cuda_option()}};
}

}  // namespace d2l::runner
