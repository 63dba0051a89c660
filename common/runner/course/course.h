// SPDX-License-Identifier: MIT
// The course as it lies in the folder chapters: which lessons there are, their numbers and titles.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace d2l::runner {

/// One lesson: a .cpp of a chapter's folder.
struct Lesson {
  std::string chapter;            ///< the folder: "1_gpus"
  std::string name;               ///< the file without .cpp: "2_2_copying"
  std::string number;             ///< "1.2.2"
  std::vector<std::string> book;  ///< its numbers in the editions of the book: "5.6.2.2", "6.7.2.2"
  std::string within;             ///< the section of the book that it is part of, where the book gives it no number
  std::string title;              ///< its first heading
  std::filesystem::path source;

  /// The CMake target that builds it.
  [[nodiscard]] std::string target() const { return "lesson_" + chapter + "_" + name; }
};

/// Every lesson below `root`, in the order of the course; Stop when a chapter's folder cannot be read.
std::vector<Lesson> find_lessons(const std::filesystem::path& root);

/// The lessons that `wanted` names: a number of ours or the book's, a file's name, a chapter, or nothing for all.
/// Stop, with what there is, when it names none.
std::vector<Lesson> select(const std::vector<Lesson>& lessons, const std::string& wanted);

/// The lesson after `lesson`, or null at the end of the course.
const Lesson* after(const std::vector<Lesson>& lessons, const Lesson& lesson);

}  // namespace d2l::runner
