// SPDX-License-Identifier: MIT
// The description of this course agrees with the titles in its sources and with the table in README.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/files.h"
#include "base/root.h"
#include "course/course.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

std::string title_in(const fs::path& file) {
  std::istringstream text(read_file(file));
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("// # ")) return line.substr(5);
  }
  return "";
}

/// The numbers of a section in each edition, as cells of a table.
std::string book_cells(const Chapter& chapter, const Lesson& section) {
  std::string cells;
  for (std::size_t i = 0; i < chapter.book.size(); ++i) {
    const auto has = [&](const std::vector<std::string>& numbers) { return i < numbers.size() && !numbers[i].empty(); };
    cells += fmt::format(" {} |", has(section.book)      ? section.book[i]
                                  : has(section.part_of) ? "in " + section.part_of[i]
                                                         : "");
  }
  return cells;
}

std::string table_of(const Chapter& chapter) {
  std::string editions;
  std::string rule = "| --- |";
  for (const auto& [edition, number] : chapter.book) {
    editions += fmt::format(" book, {} |", edition);
    rule += " --- |";
  }
  std::string table = fmt::format("| here |{} section |\n{} --- |\n", editions, rule);
  for (const Lesson& section : chapter.sections) {
    const std::string title = section.name.empty() ? section.title
                                                   : fmt::format("[{}](chapters/{}/{})", section.title, chapter.folder,
                                                                 section.source.filename().string());
    table += fmt::format("| {} |{} {} |\n", section.number, book_cells(chapter, section), title);
  }
  return table;
}

class Description : public testing::Test {
 protected:
  const std::vector<Chapter> course_ = read_course(root());
};

TEST_F(Description, HasTheTitlesOfTheSources) {
  for (const Chapter& chapter : course_) {
    for (const Lesson& lesson : chapter.sections) {
      if (lesson.name.empty()) continue;
      EXPECT_EQ(lesson.title, title_in(lesson.source)) << lesson.source;
    }
    for (const Exercise& exercise : chapter.exercises) {
      EXPECT_EQ(exercise.title, title_in(exercise.folder / "exercise.h")) << exercise.folder;
    }
  }
}

TEST_F(Description, IsTheTableInTheReadme) {
  const std::string readme = read_file(root() / "README.md");
  for (const Chapter& chapter : course_) {
    if (chapter.book.empty()) continue;  // the table compares with the book
    EXPECT_NE(readme.find(table_of(chapter)), std::string::npos)
        << "README.md must have this table of chapter " << chapter.folder << ":\n\n"
        << table_of(chapter);
  }
}

}  // namespace
}  // namespace d2l::runner
