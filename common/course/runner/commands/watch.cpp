// SPDX-License-Identifier: MIT
// ./learn watch: checks an exercise at each save, and handles keys.
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "base/keyboard.h"
#include "base/snapshot.h"
#include "base/terminal.h"
#include "build/choice.h"
#include "commands/subcommand.h"
#include "course/hints.h"
#include "course/progress.h"

namespace d2l::runner {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int look_every = 250;      // milliseconds
constexpr int looks_until_gone = 4;  // an editor may remove a file for a moment

/// Polls the sources, and reports a save when two looks in a row see the same files.
class Saves {
 public:
  explicit Saves(std::filesystem::path folder) : folder_(std::move(folder)), seen_(snapshot(folder_)) {}

  bool saved() {
    if (Clock::now() - last_look_ < std::chrono::milliseconds(look_every - 50)) return false;
    last_look_ = Clock::now();
    const Snapshot now = snapshot(folder_);
    const bool whole =
        now.count("exercise.cpp") + now.count("exercise.cu") != 0;  // some editors remove it for a moment
    const bool settled = now == glimpsed_;
    glimpsed_ = now;
    return whole && settled && now != seen_;
  }

 private:
  std::filesystem::path folder_;
  Snapshot seen_;
  Snapshot glimpsed_ = seen_;
  Clock::time_point last_look_{};
};

/// A save or a key.
struct Event {
  bool save = false;
  char key = 0;
};

/// `key` if it is one of the keys of watch, else 0.
char known_key(char key) { return key != 0 && std::strchr("hnlcq\4", key) != nullptr ? key : '\0'; }

class Session {
 public:
  Session(std::vector<Exercise> exercises, const Exercise& exercise, const Build& build, const CheckOptions& options)
      : exercises_(std::move(exercises)), build_(build), options_(options) {
    for (const Exercise& one : exercises_) {
      if (one.folder == exercise.folder) exercise_ = &one;
    }
  }

  void run() {
    for (bool goes_on = true; goes_on;) {
      Saves saves(exercise_->folder);
      Event event = check(saves);
      while (!event.save && event.key != 'c' && goes_on) {
        const Exercise* const before = exercise_;
        goes_on = handle(event.key);
        if (exercise_ != before) break;
        event = goes_on ? wait(saves) : Event();
      }
    }
  }

 private:
  /// Checks the exercise; returns the event that interrupted it, if any.
  Event check(Saves& saves) {
    fmt::print("{}{}  {}\n\n", escape_codes() ? "\033[H\033[2J" : "", bold(exercise_->number + " " + exercise_->title),
               exercise_->shown_source());
    if (opened_) fmt::print("{}\n", shown(statement(*exercise_)));
    opened_ = false;
    std::fflush(stdout);
    const Record before = read_records(root()).of(exercise_->key());
    Event event;
    char later = 0;  // a key that does not interrupt the check
    CheckOptions options = options_;
    options.keys = true;
    options.interrupted = [&] {
      if (event.save || event.key != 0) return true;
      const char key = known_key(keyboard_.key(0));
      if (key == 'h' || key == 'l') {
        later = key;
      } else {
        event.key = key;
      }
      event.save = saves.saved();
      return event.save || event.key != 0;
    };
    const CheckResult result = check_exercise(*exercise_, build_, options);
    if (result.verdict.empty()) return event;
    if (result.verdict == "pass" && !before.passed) fmt::print("\nSolved. n goes to the next one.\n");
    print_keys(result.verdict != "fail");
    return {false, later};
  }

  Event wait(Saves& saves) {
    for (int looks = 0;;) {
      const Event event{saves.saved(), known_key(keyboard_.key(look_every))};
      if (std::filesystem::exists(exercise_->source())) {
        looks = 0;
      } else if (++looks == looks_until_gone) {
        fmt::print("{} is gone. Save it again; ./learn reset {} makes it from the stub.\n", exercise_->shown_source(),
                   exercise_->number);
        std::fflush(stdout);
      }
      if (event.save || event.key != 0) return event;
    }
  }

  /// Handles a key; false when the session ends.
  bool handle(char key) {
    if (key == 'q' || key == Keyboard::gone) return false;
    if (key == 'h') show_hint(*exercise_, 0, true);
    if (key == 'l') print_exercises(exercises_, read_records(root()));
    if (key == 'n') go_to_next();
    if (key == 'h' || key == 'l') print_keys(false);
    std::fflush(stdout);
    return true;
  }

  void go_to_next() {
    const Records records = read_records(root());
    const Exercise* next = next_exercise(exercises_, records, exercise_);
    if (next == nullptr) return print_all_done(exercises_, records);
    if (next == exercise_) {
      fmt::print("This is the only one that is left.\n");
      return;
    }
    exercise_ = next;
    opened_ = true;
  }

  static void print_keys(bool done) {
    fmt::print("\n{}   {}   l list   c check again   q quit     (or save the file)\n", "h hint",
               done ? bold("n next") : "n next");
    std::fflush(stdout);
  }

  std::vector<Exercise> exercises_;
  const Exercise* exercise_ = nullptr;
  bool opened_ = false;  // by n: its statement is not shown yet
  const Build& build_;
  CheckOptions options_;
  Keyboard keyboard_;
};

int watch_exercise(const Options& options) {
  const std::string& wanted = options.wanted;
  const std::vector<Exercise> exercises = find_exercises(root());
  const Exercise exercise =
      wanted.empty() ? current_exercise(select(exercises, ""), read_records(root())) : select_one(exercises, wanted);
  if (!has_keyboard()) {
    throw Stop(wrong_usage, fmt::format("watch needs a terminal for its keys. Without a terminal: ./learn check {}",
                                        exercise.number));
  }
  const Choice choice = choose(options.cuda);
  const Build build(choice.preset);
  ensure_two_gpus(choice);
  Session(exercises, exercise, build, options.check()).run();
  const int signal = Keyboard::signal();
  if (signal != 0) std::raise(signal);
  return 0;
}

}  // namespace

Subcommand watch_subcommand() {
  std::vector<Option> options = check_options();
  options.insert(options.begin(), exercise_argument("the one you are at if none"));
  return {"watch", "check at each save", watch_exercise, options};
}

}  // namespace d2l::runner
