// SPDX-License-Identifier: MIT
// ./learn run
#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "base/process.h"
#include "base/terminal.h"
#include "build/build.h"
#include "build/choice.h"
#include "commands/subcommand.h"
#include "course/lessons.h"

namespace d2l::runner {
namespace {

int run_lesson(const Lesson& lesson, const Build& build) {
  const int code = run({(build.folder() / "chapters" / lesson.target()).string()}, std::filesystem::current_path());
  if (code == 0) return 0;
  const std::string how = signal_words(code);
  fmt::print(stderr, "\n{} {} {}\n", lesson.number, lesson.title,
             how.empty() ? fmt::format("ended with exit code {}.", code) : how + ".");
  return code;
}

int run_lessons(const Options& options) {
  const std::vector<Chapter> course = read_course(root());
  const std::vector<Lesson> lessons = select(course, "");
  const std::vector<Lesson> chosen = select(course, options.wanted);
  if (chosen.empty()) throw Stop(failed, "There are no lessons in " + (root() / "chapters").string());
  const Choice choice = choose(options.cuda);
  const Build build(choice.preset);
  std::vector<std::string> targets;
  for (const Lesson& lesson : chosen) targets.push_back(lesson.target());
  build.make(targets, chosen.size() == 1 ? "Building " + chosen.front().number : "Building the lessons");
  ensure_two_gpus(choice);
  for (const Lesson& lesson : chosen) {
    if (chosen.size() > 1) fmt::print("\n{}\n\n", bold(fmt::format("── {} {} ──", lesson.number, lesson.title)));
    const int code = run_lesson(lesson, build);
    if (code != 0) return code;
  }
  const Lesson* next = after(lessons, chosen.back());
  if (next != nullptr) fmt::print("\nNext: ./learn run {}  {}\n", next->number, next->title);
  return 0;
}

}  // namespace

Subcommand run_subcommand() {
  return {"run",
          "build and run lessons",
          run_lessons,
          {{"section", "a section or chapter, such as 1.2.2, 2_2_copying, 5.6.2.2 or 1_gpus; all if none",
            &Options::wanted},
           cuda_option()}};
}

}  // namespace d2l::runner
