// SPDX-License-Identifier: MIT
// ./learn reset
#include "commands/reset.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/root.h"
#include "commands/subcommand.h"
#include "course/progress.h"

namespace d2l::runner {

int reset_exercise(const std::string& wanted) {
  const Exercise exercise = named_or_current(wanted);
  const std::filesystem::path source = exercise.source();
  const std::string stub = read_file(exercise.folder / "stub.cpp");
  const bool exists = std::filesystem::exists(source);
  const std::string text = exists ? read_file(source) : "";
  if (exists && text == stub) {
    fmt::print("{} is the stub: there is nothing to reset.\n", exercise.shown_source());
    return 0;
  }
  if (exists) {
    const std::filesystem::path kept = free_name(root() / ".learn" / "kept" / exercise.key(), "exercise", ".cpp");
    write_file(kept, text);
    fmt::print("What you wrote is kept in {}\n", std::filesystem::relative(kept, root()).string());
  }
  write_file(source, stub);
  change_records(root(), [&](Records& records) {
    Record& record = records.exercises[exercise.key()];
    record.verdict.clear();
    record.points = 0;
    record.hints = 0;
  });
  fmt::print("{} {} begins anew: {}\n", exercise.number, exercise.title, exercise.shown_source());
  return 0;
}

Subcommand reset_subcommand() {
  return {"reset",
          "begin an exercise anew; keeps what was there",
          [](const Options& options) { return reset_exercise(options.wanted); },
          {exercise_argument("the one you are at if none")}};
}

}  // namespace d2l::runner
