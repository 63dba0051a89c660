// SPDX-License-Identifier: MIT
#include "map_pages.h"

#include <fmt/format.h>

#include "files.h"
#include "text.h"

namespace d2l::weaver {

namespace {

std::string in_book(const runner::Lesson& lesson) {
  if (!lesson.within.empty()) return "in " + lesson.within;
  std::string numbers;
  for (const auto& number : lesson.book) {
    const auto shown = number.ends_with(".0") ? number.substr(0, number.size() - 2) : number;
    numbers += (numbers.empty() ? "" : ", ") + shown;
  }
  return numbers;
}

std::string section_rows(const Book& book, const Chapter& chapter) {
  std::string rows;
  for (const auto& lesson : book.lessons) {
    if (lesson.chapter != chapter.folder) continue;
    std::string practice;
    for (const auto& exercise : book.exercises) {
      if (exercise.chapter == chapter.folder && exercise.number == lesson.number)
        practice += link(page_of(exercise), exercise.title);
    }
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", lesson.number,
                        link(page_of(lesson), lesson.title), html(in_book(lesson)), practice);
  }
  return fmt::format(
      "<table class=\"d2l-map\"><thead><tr><th>here</th><th>section</th><th>in the book</th><th>a small "
      "exercise</th></tr>"
      "</thead><tbody>\n{}</tbody></table>\n",
      rows);
}

/// The exercises that are no section's own: those at the end of the chapter.
std::string exercise_list(const Book& book, const Chapter& chapter) {
  std::string list;
  for (const auto& exercise : book.exercises) {
    if (exercise.chapter != chapter.folder || book.links.sections.contains(exercise.number)) continue;
    list += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", exercise.number, link(page_of(exercise), exercise.title));
  }
  if (list.empty()) return "";
  return fmt::format(
      "<table class=\"d2l-map\"><thead><tr><th>here</th><th>exercise</th></tr></thead><tbody>\n{}</tbody></table>\n",
      list);
}

std::string raw(const std::string& html) {
  return fmt::format("\\htmlonly[block]\n{}\\endhtmlonly\n\n", shielded(html));
}

}  // namespace

std::string course_map(const Book& book) {
  std::string text;
  for (const auto& chapter : book.chapters) {
    text += raw(fmt::format("<p class=\"d2l-chapter\">Chapter {}</p>\n", link(page_of(chapter), chapter.title)) +
                section_rows(book, chapter) + exercise_list(book, chapter));
  }
  return text;
}

Page chapter_page(const Book& book, const Chapter& chapter) {
  Page page(page_of(chapter), chapter.title);
  page.section(1, "Sections");
  page.block(section_rows(book, chapter) + command_html("./learn run " + chapter.folder));
  std::string tree;
  for (const auto& lesson : book.lessons) {
    if (lesson.chapter == chapter.folder) tree += fmt::format("- \\subpage {}\n", page_of(lesson));
  }
  const auto exercises = exercise_list(book, chapter);
  for (const auto& exercise : book.exercises) {
    if (exercise.chapter == chapter.folder) tree += fmt::format("- \\subpage {}\n", page_of(exercise));
  }
  if (!exercises.empty()) {
    page.section(1, "Exercises");
    page.block(exercises + command_html("./learn next"));
  }
  page.section(1, "In order");
  page.line(tree);
  return page;
}

std::string hand_written(const Book& book, const std::filesystem::path& file) {
  auto lines = lines_of(runner::read_file(file));
  const auto id = file.stem() == "index" ? std::string("mainpage") : file.stem().string();
  std::string text;
  bool titled = false;
  for (const auto& line : lines) {
    if (!titled && line.starts_with("# ")) {
      titled = true;
      text += line.find("{#") == std::string::npos ? fmt::format("{} {{#{}}}\n", line, id) : line + "\n";
    } else {
      text += line == course_map_line ? course_map(book) : line + "\n";
    }
  }
  return text;
}

}  // namespace d2l::weaver
