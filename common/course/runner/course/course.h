// SPDX-License-Identifier: MIT
// The course as chapters/*/chapter.json describes it.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace d2l::runner {

/// A section with a program.
struct Lesson {
  std::string chapter;               ///< the folder of its chapter: "1_gpus"
  std::string name;                  ///< the file without its extension: "2_2_copying"
  std::string number;                ///< "1.2.2"
  std::string title;                 ///< "Copying"
  std::vector<std::string> book;     ///< its number in each edition of the book; empty for an edition without it
  std::vector<std::string> part_of;  ///< the section of each edition that contains it without a number of its own
  bool draft = false;                ///< true while outputs are missing; the book has no page of it
  std::filesystem::path source;

  /// Whether it is a .cu file.
  [[nodiscard]] bool is_cuda() const { return source.extension() == ".cu"; }

  /// The CMake target that builds it.
  [[nodiscard]] std::string target() const { return "lesson_" + chapter + "_" + name; }
};

/// One exercise.
struct Exercise {
  std::string chapter;  ///< "1_gpus"
  std::string name;     ///< the folder: "section_2_1_storage" or "3_frobenius_log"
  std::string number;   ///< of its section, "1.2.1", or its own, "1.5.3"
  std::string title;    ///< "The log of norms"
  std::filesystem::path folder;
  bool draft = false;  ///< true while mistakes are missing; the book has no page of it

  /// "1_gpus/3_frobenius_log"
  [[nodiscard]] std::string key() const { return chapter + "/" + name; }
  /// The CMake target that links what the student wrote.
  [[nodiscard]] std::string target() const { return "exercise_" + chapter + "_" + name; }
  /// The CMake target that links the solution.
  [[nodiscard]] std::string solution_target() const { return "solution_" + chapter + "_" + name; }
  /// Whether it can show what it does, with measured times.
  [[nodiscard]] bool demonstrates() const { return std::filesystem::exists(folder / "demonstration.cpp"); }
  /// Whether its answer is a .cu file.
  [[nodiscard]] bool is_cuda() const { return std::filesystem::exists(folder / "stub.cu"); }
  /// The extension of its sources.
  [[nodiscard]] std::string extension() const { return is_cuda() ? ".cu" : ".cpp"; }
  /// The file that the student edits.
  [[nodiscard]] std::filesystem::path source() const { return folder / ("exercise" + extension()); }
  /// What it begins with.
  [[nodiscard]] std::filesystem::path stub() const { return folder / ("stub" + extension()); }
  /// source() relative to the checkout.
  [[nodiscard]] std::string shown_source() const { return "exercises/" + key() + "/exercise" + extension(); }
};

struct Chapter {
  std::string folder;                                     ///< "1_gpus"
  std::string number;                                     ///< "1"
  std::string title;                                      ///< "GPUs"
  std::vector<std::pair<std::string, std::string>> book;  ///< each edition of the book and the chapter's number in it
  std::vector<Lesson> sections;                           ///< in order; one without a program has an empty name
  std::vector<Exercise> exercises;
};

/// Reads the description of every chapter below `root`, in the order of the course. Stop when one is malformed.
std::vector<Chapter> read_course(const std::filesystem::path& root);
/// All exercises, in order.
std::vector<Exercise> find_exercises(const std::filesystem::path& root);

/// The parts of a number "1.2.2": {1, 2, 2}; empty when `text` is no such number.
std::vector<int> parts_of(const std::string& text);
/// Whether the number `a` precedes `b` in the course: 1.5.3 precedes 1.5.10, and 1.3 precedes 1.3.1.
bool comes_before(const std::string& a, const std::string& b);
/// The section's numbers in the book, "5.6.2.2, 6.7.2.2" or "in 6.7.3"; empty when the book does not have it.
std::string book_numbers(const Lesson& lesson, const std::string& separator = ", ");
/// The name that is nearest to `wanted`; empty when none is near.
std::string nearest(const std::vector<std::string>& names, const std::string& wanted);

}  // namespace d2l::runner
