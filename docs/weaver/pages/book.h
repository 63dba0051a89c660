// SPDX-License-Identifier: MIT
// The course, as its pages see it: what there is, where each page is, and what comes before and after.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "course/course.h"
#include "pages/page.h"
#include "source/markdown.h"

namespace d2l::weaver {

struct Book {
  std::filesystem::path root;      ///< of the checkout
  std::filesystem::path captures;  ///< what the build captured of the lessons, and in `demonstrations` of the exercises
  std::filesystem::path items;     ///< what the checks say that they look at
  std::vector<runner::Chapter> chapters;
  std::vector<runner::Lesson> lessons;
  std::vector<runner::Exercise> exercises;
  Links links;

  /// Where an exercise's solution is; empty in a tree without solutions.
  [[nodiscard]] std::filesystem::path solution(const runner::Exercise& exercise) const;
};

/// Reads which lessons and exercises there are.
Book read_book(const std::filesystem::path& root, const std::string& tags);

std::string page_of(const runner::Chapter& chapter);
/// "1 GPUs"
std::string title_of(const runner::Chapter& chapter);
std::string page_of(const runner::Lesson& lesson);
std::string page_of(const runner::Exercise& exercise);
std::string solution_page_of(const runner::Exercise& exercise);
/// A link to a page.
std::string link(const std::string& page, const std::string& words);

/// The links to the pages before and after, in the order of the course: lessons, then exercises.
std::string steps_html(const Book& book, const std::string& page);
/// The command that a page is about.
std::string command_html(const std::string& command);
/// A table; the cells of its rows are HTML.
std::string table_html(const std::string& name, const std::vector<std::string>& heads,
                       const std::vector<std::vector<std::string>>& rows);
/// Files to download: the name, and the address below the site.
std::string downloads_html(const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace d2l::weaver
