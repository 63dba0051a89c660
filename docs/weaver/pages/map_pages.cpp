// SPDX-License-Identifier: MIT
#include "pages/map_pages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "source/text.h"

namespace d2l::weaver {

namespace {

std::string section_table(const Book& book, const runner::Chapter& chapter) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& lesson : book.lessons) {
    if (lesson.chapter != chapter.folder) continue;
    std::string practice;
    for (const auto& exercise : book.exercises) {
      if (exercise.chapter != chapter.folder || exercise.number != lesson.number) continue;
      practice += (practice.empty() ? "" : ", ") + link(page_of(exercise), exercise.title);
    }
    rows.push_back({lesson.number, link(page_of(lesson), lesson.title), html(runner::book_numbers(lesson)), practice});
  }
  return table_html("d2l-map", {"here", "section", "in the book", "a small exercise"}, rows);
}

/// The exercises at the end of the chapter, which belong to no section.
std::string exercise_table(const Book& book, const runner::Chapter& chapter) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& exercise : book.exercises) {
    if (exercise.chapter != chapter.folder || book.links.sections.contains(exercise.number)) continue;
    rows.push_back({exercise.number, link(page_of(exercise), exercise.title)});
  }
  return rows.empty() ? "" : table_html("d2l-map", {"here", "exercise"}, rows);
}

/// A line that places a page in Doxygen's tree.
std::string place_in_tree(const std::string& page) { return fmt::format("- \\subpage {}\n", page); }

std::string raw(const std::string& html) {
  return fmt::format("\\htmlonly[block]\n{}\\endhtmlonly\n\n", shielded(html));
}

}  // namespace

std::string course_map(const Book& book) {
  std::string text;
  for (const auto& chapter : book.chapters) {
    text += raw(fmt::format("<p class=\"d2l-chapter\">Chapter {}</p>\n", link(page_of(chapter), title_of(chapter))) +
                section_table(book, chapter) + exercise_table(book, chapter));
  }
  return text;
}

Page chapter_page(const Book& book, const runner::Chapter& chapter) {
  Page page(page_of(chapter), title_of(chapter));
  page.block("<p>Run all lessons of the chapter in order:</p>\n" + command_html("./learn run " + chapter.folder));
  const auto places = [&](const auto& all) {
    std::string lines;
    for (const auto& one : all) {
      if (one.chapter == chapter.folder) lines += place_in_tree(page_of(one));
    }
    return lines;
  };
  page.block("<h2>Sections</h2>\n");
  page.line(places(book.lessons));
  const auto exercises = places(book.exercises);
  if (exercises.empty()) return page;
  page.block(
      "<h2>Exercises</h2>\n<p>The small exercises belong to a section; the last ones are the book's. Show the next one "
      "that you "
      "have not passed:</p>\n" +
      command_html("./learn next"));
  page.line(exercises);
  return page;
}

std::string hand_written(const Book& book, const std::filesystem::path& file) {
  auto lines = lines_of(runner::read_file(file));
  const auto id = file.stem() == "index" ? std::string("mainpage") : file.stem().string();
  const auto sections =
      std::count_if(lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("## "); });
  std::string text;
  bool titled = false;
  for (const auto& line : lines) {
    if (!titled && line.starts_with("# ")) {
      titled = true;
      text += line.find("{#") == std::string::npos ? fmt::format("{} {{#{}}}\n", line, id) : line + "\n";
      if (sections > 1 && id != "mainpage") text += "\n[TOC]\n";
    } else {
      text += line == course_map_line ? course_map(book) : line + "\n";
    }
  }
  return text;
}

}  // namespace d2l::weaver
