// SPDX-License-Identifier: MIT
// The exercises as they lie in the folder exercises: which there are, their numbers and titles.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace d2l::runner {

/// One exercise: a folder with an exercise.h.
struct Exercise {
  std::string chapter;           ///< "1_gpus"
  std::string name;              ///< the folder: "section_2_1_storage", or "3_frobenius_log"
  std::string number;            ///< of its section, "1.2.1", or its own, "1.5.3"
  std::string title;             ///< the heading of exercise.h
  std::filesystem::path folder;  ///< where it lies

  /// "1_gpus/3_frobenius_log"
  [[nodiscard]] std::string key() const { return chapter + "/" + name; }
  /// The CMake target that links what the student wrote.
  [[nodiscard]] std::string target() const { return "exercise_" + chapter + "_" + name; }
  /// The CMake target that links the solution.
  [[nodiscard]] std::string solution_target() const { return "solution_" + chapter + "_" + name; }
  /// Whether it can show what it does, with measured times.
  [[nodiscard]] bool demonstrates() const { return std::filesystem::exists(folder / "demonstration.cpp"); }
  /// What the student edits.
  [[nodiscard]] std::filesystem::path source() const { return folder / "exercise.cpp"; }
  /// The same relative to the checkout.
  [[nodiscard]] std::string shown_source() const { return "exercises/" + key() + "/exercise.cpp"; }
};

/// Every exercise below `root`, in the order of the course; Stop when the folder cannot be read.
std::vector<Exercise> find_exercises(const std::filesystem::path& root);

/// Whether the number `a` comes before `b` in the course: 1.5.3 before 1.5.10, 1.3 before 1.3.1.
bool comes_before(const std::string& a, const std::string& b);

/// The exercises that `wanted` names: a number or its beginning (1.5), a folder or a part of its name, a path, a
/// chapter, or nothing for all. Stop, with what there is, when it names none.
std::vector<Exercise> select(const std::vector<Exercise>& exercises, const std::string& wanted);
/// The one exercise that `wanted` names; Stop, with those that it may mean, when there are several.
const Exercise& select_one(const std::vector<Exercise>& exercises, const std::string& wanted);

/// The statement of an exercise: the comment of exercise.h below its title, without the comment's signs.
std::string statement(const Exercise& exercise);

}  // namespace d2l::runner
