// SPDX-License-Identifier: MIT
// ./learn list
#include <fmt/format.h>

#include "base/root.h"
#include "base/terminal.h"
#include "base/terminal_text.h"
#include "commands/subcommand.h"
#include "course/lessons.h"
#include "course/progress.h"

namespace d2l::runner {
namespace {

int list_course(const Options& /*unused*/) {
  for (const Chapter& chapter : read_course(root())) {
    std::vector<std::vector<std::string>> rows;
    for (const Lesson& lesson : chapter.sections) {
      if (lesson.name.empty()) continue;
      const std::string book = book_numbers(lesson);
      rows.push_back({"  " + lesson.number, lesson.title, lesson.name, book.empty() ? "" : "book " + book});
    }
    fmt::print("{}\n{}\n", bold("chapters/" + chapter.folder), detail::table(rows, detail::terminal_width()));
  }
  print_exercises(find_exercises(root()), read_records(root()));
  return 0;
}

}  // namespace

Subcommand list_subcommand() {
  return {"list", "the lessons, their numbers in the book, and the exercises", list_course, {}};
}

}  // namespace d2l::runner
