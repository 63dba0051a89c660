// SPDX-License-Identifier: MIT
#include "course/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/root.h"
#include "base/terminal.h"
#include "base/terminal_text.h"

namespace d2l::runner {
namespace {

/// "5/7" of a checked exercise, and "5/7 now" of one that was passed before.
std::string points(const Record& record) {
  if (record.checks == 0 || record.possible == 0) return "";
  const bool was_passed = record.passed && record.verdict == "fail";
  return fmt::format("{}/{}{}", record.points, record.possible, was_passed ? " now" : "");
}

}  // namespace

long count_verdicts(const std::vector<Exercise>& exercises, const Records& records, const std::string& verdict) {
  return std::count_if(exercises.begin(), exercises.end(),
                       [&](const Exercise& exercise) { return records.of(exercise.key()).standing() == verdict; });
}

std::string sign(const Record& record) {
  const std::string standing = record.standing();
  if (standing == "pass") return in_colour("32", "✓");
  if (standing == "not_verifiable") return in_colour("33", "?");
  return standing == "fail" ? in_colour("31", "✗") : "·";
}

const Exercise* next_exercise(const std::vector<Exercise>& exercises, const Records& records, const Exercise* current) {
  const std::size_t count = exercises.size();
  const std::size_t start = current == nullptr ? 0 : static_cast<std::size_t>(current - exercises.data()) + 1;
  for (std::size_t i = 0; i < count; ++i) {
    const Exercise& exercise = exercises[(start + i) % count];
    if (!records.of(exercise.key()).done()) return &exercise;
  }
  return nullptr;
}

const Exercise& current_exercise(const std::vector<Exercise>& exercises, const Records& records) {
  const Exercise* last = nullptr;
  for (const Exercise& exercise : exercises) {
    if (exercise.key() == records.last) last = &exercise;
  }
  if (last != nullptr && (records.of(last->key()).verdict == "fail" || !records.of(last->key()).done())) return *last;
  const Exercise* next = next_exercise(exercises, records, last);
  return next == nullptr ? exercises.front() : *next;
}

Exercise named_or_current(const std::string& wanted) {
  const std::vector<Exercise> exercises = select(find_exercises(root()), "");
  return wanted.empty() ? current_exercise(exercises, read_records(root())) : select_one(exercises, wanted);
}

void print_exercises(const std::vector<Exercise>& exercises, const Records& records) {
  const int width = detail::terminal_width();
  fmt::print("{}\n", bold(detail::wrapped("exercises  ✓ passed  ✗ not yet  ? cannot be verified here  · new", width)));
  std::vector<std::vector<std::string>> rows;
  for (const Exercise& exercise : exercises) {
    const Record record = records.of(exercise.key());
    rows.push_back({sign(record) + " " + exercise.number, exercise.title, points(record), exercise.name});
  }
  fmt::print("{}", detail::table(rows, width));
  const long passed = count_verdicts(exercises, records, "pass");
  const long unverifiable = count_verdicts(exercises, records, "not_verifiable");
  fmt::print("{} of {} exercises passed{}.\n", passed, exercises.size(),
             unverifiable == 0 ? "" : fmt::format(", {} cannot be verified on this hardware", unverifiable));
}

void print_task(const Exercise& exercise) {
  ensure_source(exercise);
  fmt::print("{}\n\n{}\n", bold(exercise.number + " " + exercise.title), shown(statement(exercise)));
  const std::string steps =
      fmt::format("Edit   {0}\nCheck  ./learn check {1}   or at each save: ./learn watch {1}\nHint   ./learn hint {1}",
                  exercise.shown_source(), exercise.number);
  fmt::print("{}\n", detail::wrapped(steps, detail::terminal_width()));
}

void print_all_done(const std::vector<Exercise>& exercises, const Records& records) {
  const long unverifiable = count_verdicts(exercises, records, "not_verifiable");
  if (unverifiable == 0) {
    say(fmt::format("All {} exercises are passed. ./learn pack makes one file of them, to hand in.", exercises.size()));
    return;
  }
  fmt::print("All exercises are passed, but for {} that this hardware cannot verify:\n", unverifiable);
  for (const Exercise& exercise : exercises) {
    if (records.of(exercise.key()).standing() == "not_verifiable")
      fmt::print("  {} {}\n", exercise.number, exercise.title);
  }
  fmt::print("./learn pack makes one file of them, to hand in.\n");
}

}  // namespace d2l::runner
