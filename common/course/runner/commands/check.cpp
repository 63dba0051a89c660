// SPDX-License-Identifier: MIT
// ./learn check
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "base/error.h"
#include "base/terminal.h"
#include "build/choice.h"
#include "commands/subcommand.h"
#include "course/progress.h"

namespace d2l::runner {
namespace {

void print_next_step(const std::vector<Exercise>& exercises, const Exercise& exercise, const Record& before,
                     const CheckResult& result) {
  const Records records = read_records(root());
  if (result.verdict == "fail") {
    say(fmt::format("\nEdit {}, then ./learn check {}", exercise.shown_source(), exercise.number));
    fmt::print("Stuck? ./learn hint {}\n", exercise.number);
    return;
  }
  if (result.verdict == "pass" && !before.passed) {
    say(fmt::format("\nSolved: {} of {} exercises. ./learn solution {} shows how we did it, and why.",
                    count_verdicts(exercises, records, "pass"), exercises.size(), exercise.number));
  } else if (result.verdict == "not_verifiable") {
    fmt::print("\nNothing failed. The rest needs other hardware, so this counts as done here.\n");
  } else {
    fmt::print("\n");
  }
  if (exercise.demonstrates()) {
    fmt::print("What it costs, measured: ./learn check {} --demonstrate\n", exercise.number);
  }
  const Exercise* next = next_exercise(exercises, records, &exercise);
  if (next == nullptr) {
    print_all_done(exercises, records);
  } else {
    fmt::print("Next: ./learn next  ({} {})\n", next->number, next->title);
  }
}

int check_one(const std::vector<Exercise>& all, const Exercise& exercise, const Build& build,
              const CheckOptions& options) {
  const Record before = read_records(root()).of(exercise.key());
  const CheckResult result = check_exercise(exercise, build, options);
  if (result.verdict == "not_checked") return wrong_usage;
  print_next_step(all, exercise, before, result);
  return result.verdict == "fail" ? failed : 0;
}

/// The builds of exercises: those with kernels may need another one.
class Builds {
 public:
  Builds(const Choice& choice, const std::vector<Exercise>& exercises) : plain_(choice.preset) {
    const bool kernels = std::any_of(exercises.begin(), exercises.end(), [](const Exercise& e) { return e.is_cuda(); });
    kernels_ = kernels ? preset_of_kernels(choice) : plain_;
  }
  [[nodiscard]] Build of(const Exercise& exercise) const { return Build(exercise.is_cuda() ? kernels_ : plain_); }

  /// Builds all, also after an error in one of them.
  void build_all(const std::vector<Exercise>& exercises) const {
    std::map<std::string, Build::Targets> targets;  // by preset
    for (const Exercise& exercise : exercises) {
      targets[exercise.is_cuda() ? kernels_ : plain_].push_back(exercise.target());
    }
    for (const auto& [preset, names] : targets)
      static_cast<void>(Build(preset).attempt(names, "Building the exercises", {true, {}}));
  }

 private:
  std::string plain_;
  std::string kernels_;
};

int check_several(const std::vector<Exercise>& exercises, const Builds& builds, CheckOptions options) {
  builds.build_all(exercises);
  options.quiet = true;
  int passed = 0;
  int unverifiable = 0;
  int points = 0;
  int possible = 0;
  std::size_t widest = 0;
  for (const Exercise& exercise : exercises) widest = std::max(widest, exercise.title.size());
  for (const Exercise& exercise : exercises) {
    const CheckResult result = check_exercise(exercise, builds.of(exercise), options);
    const Record record{result.verdict, false, result.points, result.possible, 1, 0};
    fmt::print("{} {:<6} {:<{}} {:>6}  {}\n", sign(record), exercise.number, exercise.title, widest,
               result.possible == 0 ? "-" : fmt::format("{}/{}", result.points, result.possible), result.remark);
    std::fflush(stdout);
    passed += result.verdict == "pass" ? 1 : 0;
    unverifiable += result.verdict == "not_verifiable" ? 1 : 0;
    points += result.points;
    possible += result.possible != 0 ? result.possible : read_records(root()).of(exercise.key()).possible;
  }
  const int left = static_cast<int>(exercises.size()) - passed - unverifiable;
  fmt::print("{} passed, {} not yet, {} not verifiable here; {} of {} points.\n", passed, left, unverifiable, points,
             possible);
  if (left > 0) fmt::print("For details: ./learn check NUMBER. To continue: ./learn next\n");
  return left > 0 ? failed : 0;
}

int check_exercises(const Options& options) {
  const std::vector<Exercise> all = find_exercises(root());
  const std::vector<Exercise> chosen = select(all, options.wanted);
  const Choice choice = choose(options.cuda);
  if (chosen.size() > 1) {
    const Builds builds(choice, chosen);
    ensure_two_gpus(choice);
    return check_several(chosen, builds, options.check());
  }
  const Exercise& one = select_one(all, options.wanted.empty() ? all.front().name : options.wanted);
  const Build build(one.is_cuda() ? preset_of_kernels(choice) : choice.preset);
  ensure_two_gpus(choice);
  return check_one(all, one, build, options.check());
}

int demonstrate_exercise(const Options& options) {
  const std::vector<Exercise> all = find_exercises(root());
  const Exercise& exercise = select_one(all, options.wanted);
  require_demonstration(exercise);
  ensure_source(exercise);
  return demonstrate(exercise, exercise.target(), "Building " + exercise.number, options.cuda);
}

}  // namespace

Subcommand check_subcommand() {
  std::vector<Option> options = check_options();
  options.insert(options.begin(),
                 {exercise_argument("all if none"),
                  {"--demonstrate", "show what your function does, with measured times", &Options::demonstrate}});
  return {"check", "check what you wrote",
          [](const Options& o) { return o.demonstrate ? demonstrate_exercise(o) : check_exercises(o); }, options};
}

}  // namespace d2l::runner
