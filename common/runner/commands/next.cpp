// SPDX-License-Identifier: MIT
// ./learn next
#include "base/root.h"
#include "commands/subcommand.h"
#include "course/progress.h"

namespace d2l::runner {
namespace {

int show_next(const Options& /*unused*/) {
  const std::vector<Exercise> exercises = select(find_exercises(root()), "");
  const Records records = read_records(root());
  const Exercise* next = next_exercise(exercises, records);
  if (next == nullptr) {
    print_all_done(exercises, records);
  } else {
    print_task(*next);
  }
  return 0;
}

}  // namespace

Subcommand next_subcommand() { return {"next", "the next exercise, with its statement", show_next, {}}; }

}  // namespace d2l::runner
