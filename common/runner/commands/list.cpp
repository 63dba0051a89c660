// SPDX-License-Identifier: MIT
// ./learn list
#include <fmt/format.h>

#include "base/root.h"
#include "base/terminal.h"
#include "commands/subcommand.h"
#include "course/lessons.h"
#include "course/progress.h"

namespace d2l::runner {
namespace {

int list_course(const Options& /*unused*/) {
  std::string chapter;
  for (const Lesson& lesson : select(read_course(root()), "")) {
    if (lesson.chapter != chapter) {
      chapter = lesson.chapter;
      fmt::print("{}\n", bold("chapters/" + chapter));
    }
    const std::string book = book_numbers(lesson);
    fmt::print("  {:<7} {:<26} {:<28} {}\n", lesson.number, lesson.title, lesson.name,
               book.empty() ? "" : "book: " + book);
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
