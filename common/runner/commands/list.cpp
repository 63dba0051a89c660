// SPDX-License-Identifier: MIT
// ./learn list
#include <fmt/format.h>

#include "base/root.h"
#include "base/terminal.h"
#include "commands/subcommand.h"
#include "course/course.h"
#include "course/progress.h"

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

int list_course(const Options& /*unused*/) {
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

}  // namespace

Subcommand list_subcommand() {
  return {"list", "the lessons, their numbers in the book, and the exercises", list_course, {}};
}

}  // namespace d2l::runner
