// SPDX-License-Identifier: MIT
// ./learn next
#include "base/root.h"
#include "commands/subcommand.h"
#include "course/progress.h"

namespace d2l::runner {
namespace {

int show_next(const Options& options) {
  const std::vector<Exercise> exercises = select(find_exercises(root()), "");
  if (!options.wanted.empty()) {
    print_task(select_one(exercises, options.wanted));
    return 0;
  }
  const Records records = read_records(root());
  if (next_exercise(exercises, records) == nullptr) {
    print_all_done(exercises, records);
  } else {
    print_task(current_exercise(exercises, records));
  }
  return 0;
}

}  // namespace

Subcommand next_subcommand() {
  return {"next",
          "the next exercise, or one that you name, with its statement",
          show_next,
          {exercise_argument("the next one that is not done if none")}};
}

}  // namespace d2l::runner
