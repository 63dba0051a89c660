// SPDX-License-Identifier: MIT
// ./learn run
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "base/keyboard.h"
#include "base/process.h"
#include "base/terminal.h"
#include "build/build.h"
#include "build/choice.h"
#include "commands/subcommand.h"
#include "course/lessons.h"
#include "course/progress.h"
#include "launch/addresses.h"

namespace d2l::runner {
namespace {

int run_lesson(const Lesson& lesson, const Build& build) {
  const int code = run({(build.folder() / "chapters" / lesson.target()).string()}, std::filesystem::current_path());
  if (code == 0) return 0;
  if (code == 128 + SIGPIPE) return code;  // the reader of a pipe, such as head, has ended
  const std::string how = signal_words(code);
  fmt::print(stderr, "\n{} {} {}\n", lesson.number, lesson.title,
             how.empty() ? fmt::format("ended with exit code {}.", code) : how + ".");
  return code;
}

using PresetOf = std::function<std::string(const Lesson&)>;

/// Builds lessons of one chapter.
void build_lessons(const std::vector<Lesson>& lessons, const PresetOf& preset_of) {
  std::map<std::string, Build::Targets> targets;  // by preset
  for (const Lesson& lesson : lessons) targets[preset_of(lesson)].push_back(lesson.target());
  const std::string& number = lessons.front().number;
  const std::string what =
      lessons.size() == 1 ? number : "the lessons of chapter " + number.substr(0, number.find('.'));
  for (const auto& [preset, names] : targets) Build(preset).make(names, "Building " + what);
}

/// Leaves out lessons that start several processes where these could not reach each other, and says so.
void leave_out_impossible(std::vector<Lesson>& lessons) {
  const auto starts_ranks = [](const Lesson& one) {
    return read_file(one.source).find("start_ranks(") != std::string::npos;
  };
  const auto count = static_cast<std::size_t>(std::count_if(lessons.begin(), lessons.end(), starts_ranks));
  if (count == 0 || count == lessons.size() || launch::usable_address()) return;
  std::erase_if(lessons, starts_ranks);
  fmt::print(stderr, "The lessons that start several processes are left out: {}.\n", launch::no_usable_address);
}

/// Stop when a number is that of an exercise, or of a section of exercises, and of no lesson.
void refuse_exercise(const std::vector<Lesson>& lessons, const std::vector<Exercise>& exercises,
                     const std::string& wanted) {
  const auto named = [&](const auto& one) { return one.number == wanted || one.name == wanted; };
  if (wanted.empty() || std::any_of(lessons.begin(), lessons.end(), named)) return;
  for (const Exercise& exercise : exercises) {
    if (!named(exercise) && !(parts_of(wanted).size() > 1 && exercise.number.starts_with(wanted + "."))) continue;
    throw Stop(wrong_usage, fmt::format("{0} {1} is an exercise, and run is for lessons. To begin it:\n"
                                        "  ./learn next {0}     shows the task and the file to edit\n"
                                        "  ./learn watch {0}    checks at each save",
                                        exercise.number, exercise.title));
  }
}

int run_lessons(const Options& options) {
  const std::vector<Chapter> course = read_course(root());
  const std::vector<Lesson> lessons = select(course, "");
  const std::vector<Exercise> exercises = find_exercises(root());
  refuse_exercise(lessons, exercises, options.wanted);
  if (options.step) {
    if (!has_keyboard()) throw Stop(wrong_usage, "--step waits for Enter, and needs a terminal for input and output.");
    ::setenv("D2L_STEP", "1", 1);  // NOLINT(concurrency-mt-unsafe): there is one thread
  }
  std::vector<Lesson> chosen = select(course, options.wanted);
  if (chosen.empty()) throw Stop(failed, "There are no lessons in " + (root() / "chapters").string());
  leave_out_impossible(chosen);
  const Choice choice = choose(options.cuda);
  const bool kernels = std::any_of(chosen.begin(), chosen.end(), [](const Lesson& one) { return one.is_cuda(); });
  const std::string for_kernels = kernels ? preset_of_kernels(choice) : "";
  const PresetOf preset_of = [&](const Lesson& lesson) { return lesson.is_cuda() ? for_kernels : choice.preset; };
  // The first lesson runs as soon as it is built, and so does each chapter.
  for (auto first = chosen.begin(); first != chosen.end();) {
    const auto same_chapter = [&](const Lesson& one) { return one.chapter == first->chapter; };
    const auto last = first == chosen.begin() ? std::next(first) : std::find_if_not(first, chosen.end(), same_chapter);
    const std::vector<Lesson> part(first, last);
    build_lessons(part, preset_of);
    ensure_two_gpus(choice);
    for (const Lesson& lesson : part) {
      if (chosen.size() > 1) fmt::print("\n{}\n\n", bold(fmt::format("── {} {} ──", lesson.number, lesson.title)));
      const int code = run_lesson(lesson, Build(preset_of(lesson)));
      if (code != 0) return code;
    }
    first = last;
  }
  const Lesson* next = after(lessons, chosen.back());
  fmt::print("\n");
  for (const Exercise& exercise : exercises) {
    if (chosen.size() > 1 || exercise.number != chosen.front().number) continue;
    fmt::print("Its exercise: ./learn next {}  {}\n", exercise.number, exercise.title);
  }
  if (next != nullptr) fmt::print("Next: ./learn run {}  {}\n", next->number, next->title);
  if (next != nullptr || exercises.empty()) return 0;
  const Records records = read_records(root());
  if (next_exercise(exercises, records) == nullptr) return 0;
  const Exercise& current = current_exercise(exercises, records);
  fmt::print("Next: ./learn next  ({} {})\n", current.number, current.title);
  return 0;
}

}  // namespace

Subcommand run_subcommand() {
  return {"run",
          "build and run lessons",
          run_lessons,
          {{"section", "a section or chapter, such as 1.2.2, 2_2_copying, 5.6.2.2 or 1_gpus; all if none",
            &Options::wanted},
           {"--step",
            "stop after each question of a lesson, until Enter; lessons that start several processes do "
            "not stop",
            &Options::step},
           cuda_option()}};
}

}  // namespace d2l::runner
