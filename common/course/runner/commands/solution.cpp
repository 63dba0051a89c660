// SPDX-License-Identifier: MIT
// ./learn solution
#include "commands/solution.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/terminal.h"
#include "course/progress.h"

namespace d2l::runner {

int show_solution(const Options& options) {
  const Exercise exercise = named_or_current(options.wanted.empty() ? read_records(root()).last : options.wanted);
  const std::filesystem::path solution = root() / "solutions" / (exercise.key() + exercise.extension());
  if (!std::filesystem::exists(solution)) {
    throw Stop(failed, "This tree has no solutions: it was made for students. Ask your teacher for them.");
  }
  if (!options.spoil && !read_records(root()).of(exercise.key()).passed) {
    throw Stop(failed, fmt::format("{} {} is not passed yet. ./learn hint {} helps; --spoil shows the solution now.",
                                   exercise.number, exercise.title, exercise.number));
  }
  if (options.demonstrate) {
    require_demonstration(exercise);
    return demonstrate(exercise, exercise.solution_target(), "Building the solution of " + exercise.number,
                       options.cuda);
  }
  const std::string shown = fmt::format("solutions/{}{}", exercise.key(), exercise.extension());
  fmt::print("{}\n\n{}\n", bold(fmt::format("{} {}: {}", exercise.number, exercise.title, shown)), read_file(solution));
  if (exercise.demonstrates()) {
    fmt::print("What it does, with measured times: ./learn solution {} --demonstrate{}\n", exercise.number,
               options.spoil ? " --spoil" : "");
  }
  return 0;
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
