// SPDX-License-Identifier: MIT
// run and list.
#include <fmt/format.h>

#include <cstdio>

#include "build.h"
#include "choice.h"
#include "commands.h"
#include "course.h"
#include "error.h"
#include "exercise_words.h"
#include "process.h"
#include "terminal.h"

namespace d2l::runner {
namespace {

/// The numbers in the book's editions, in a line; what comes before a chapter's first section has the chapter's number.
std::string book_numbers(const Lesson& lesson) {
  if (!lesson.within.empty()) return "book: in " + lesson.within;
  std::string text;
  for (const std::string& number : lesson.book) {
    text += (text.empty() ? "book: " : ", ") + (number.ends_with(".0") ? number.substr(0, number.size() - 2) : number);
  }
  return text;
}

int run_lesson(const Lesson& lesson, const Build& build) {
  const int code = run({(build.folder() / "chapters" / lesson.target()).string()}, std::filesystem::current_path());
  if (code == 0) return 0;
  const std::string how = signal_words(code);
  fmt::print(stderr, "\n{} {} {}\n", lesson.number, lesson.title,
             how.empty() ? fmt::format("ended with exit code {}.", code) : how + ".");
  return code;
}

}  // namespace

int run_lessons(const std::string& wanted, bool cuda) {
  const std::vector<Lesson> lessons = find_lessons(root());
  const std::vector<Lesson> chosen = select(lessons, wanted);
  if (chosen.empty()) throw Stop(failed, "There are no lessons yet in " + (root() / "chapters").string());
  const Choice choice = choose(cuda);
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

int list_course() {
  std::string chapter;
  for (const Lesson& lesson : find_lessons(root())) {
    if (lesson.chapter != chapter) {
      chapter = lesson.chapter;
      fmt::print("{}\n", bold("chapters/" + chapter));
    }
    fmt::print("  {:<7} {:<26} {:<28} {}\n", lesson.number, lesson.title, lesson.name, book_numbers(lesson));
  }
  fmt::print("\n");
  print_exercises(find_exercises(root()), read_records(root()));
  return 0;
}

}  // namespace d2l::runner
