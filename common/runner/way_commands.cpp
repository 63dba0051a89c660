// SPDX-License-Identifier: MIT
// The student's way: next, hint, reset and solution.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "choice.h"
#include "error.h"
#include "exercise_commands.h"
#include "exercise_words.h"
#include "files.h"
#include "hints.h"
#include "process.h"
#include "terminal.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

/// The exercise that is named, or the one that the student is at.
Exercise named_or_current(const std::string& wanted) {
  const std::vector<Exercise> exercises = select(find_exercises(root()), "");
  return wanted.empty() ? current_exercise(exercises, read_records(root())) : select_one(exercises, wanted);
}

/// The exercise that is named, or the one that was checked last.
Exercise named_or_last(const std::string& wanted) {
  return named_or_current(wanted.empty() ? read_records(root()).last : wanted);
}

int hint_number(const std::string& text) {
  if (text.empty()) return 0;
  if (text.size() > 4 || text.find_first_not_of("0123456789") != std::string::npos || std::stoi(text) == 0) {
    throw Stop(wrong_usage, fmt::format("\"{}\" is no number of a hint: they are counted from 1.", text));
  }
  return std::stoi(text);
}

}  // namespace

int hint_exercise(const std::string& wanted, const std::string& number) {
  const bool lone_number =
      number.empty() && !wanted.empty() && wanted.find_first_not_of("0123456789") == std::string::npos;
  show_hint(named_or_current(lone_number ? "" : wanted), hint_number(lone_number ? wanted : number));
  return 0;
}

int show_next() {
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

int reset_exercise(const std::string& wanted) {
  const Exercise exercise = named_or_current(wanted);
  const fs::path source = exercise.source();
  const std::string stub = read_file(exercise.folder / "stub.cpp");
  const bool exists = fs::exists(source);
  const std::string text = exists ? read_file(source) : "";
  if (exists && text == stub) {
    fmt::print("{} is as it was in the beginning: there is nothing to reset.\n", exercise.shown_source());
    return 0;
  }
  if (exists) {
    const fs::path kept = free_name(root() / ".learn" / "kept" / exercise.key(), "exercise", ".cpp");
    write_file(kept, text);
    fmt::print("What you wrote is kept in {}\n", fs::relative(kept, root()).string());
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

int show_solution(const std::string& wanted, bool spoil, bool demonstrate, bool cuda) {
  const Exercise exercise = named_or_last(wanted);
  const fs::path solution = root() / "solutions" / (exercise.key() + ".cpp");
  if (!fs::exists(solution)) {
    throw Stop(failed, "This tree has no solutions: it was made for students. Whoever gave it to you has them.");
  }
  if (!spoil && !read_records(root()).of(exercise.key()).passed) {
    throw Stop(failed, fmt::format("{} {} is not passed yet. ./learn hint {} helps; with --spoil the solution is shown "
                                   "all the same.",
                                   exercise.number, exercise.title, exercise.number));
  }
  if (demonstrate && !exercise.demonstrates()) {
    throw Stop(wrong_usage, fmt::format("{} {} has no demonstration.", exercise.number, exercise.title));
  }
  if (!demonstrate) {
    const std::string shown = fmt::format("solutions/{}.cpp", exercise.key());
    fmt::print("{}\n\n{}\n", bold(fmt::format("{} {}: {}", exercise.number, exercise.title, shown)),
               read_file(solution));
    if (exercise.demonstrates()) {
      fmt::print("What it does, with measured times: ./learn solution {} --demonstrate{}\n", exercise.number,
                 spoil ? " --spoil" : "");
    }
    return 0;
  }
  const Choice choice = choose(cuda);
  const Build build(choice.preset);
  build.make({exercise.solution_target()}, "Building the solution of " + exercise.number);
  ensure_two_gpus(choice);
  return run({(build.folder() / "exercises" / exercise.solution_target()).string(), "--demonstrate"},
             fs::current_path());
}

}  // namespace d2l::runner
