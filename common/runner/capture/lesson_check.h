// SPDX-License-Identifier: MIT
// Runs a lesson in one configuration and holds what it showed against its reference.
#pragma once

#include <string>
#include <vector>

namespace d2l::runner {

/// What CTest takes for "could not run here".
inline constexpr int skipped_status = 77;

struct LessonCheck {
  std::string lesson;         ///< the program
  std::string expected;       ///< folder of the references
  std::string section;        ///< "2_2_copying"
  std::string configuration;  ///< none, virtual1, …; gpu, gpu_virtual2, … for a physical GPU
  std::string cells;          ///< where the program writes what it showed
  std::string source;         ///< the lesson's source, whose code the file of cells is to name; may be empty
  std::string again;          ///< the command that captures again
  std::vector<std::string> arguments;
  bool draft = false;    ///< the lesson need not be captured yet
  bool capture = false;  ///< write the reference instead of comparing
};

/// Returns the status to end with: 0, 1 when something differs, 77 when this machine cannot show it.
int check_lesson(const LessonCheck& check);

/// Runs a program and keeps what it showed, compared with nothing; the status, as above.
int run_program(const LessonCheck& check);

/// Compares a file of cells with a reference, and prints what differs, and the command that captures `again`; 0 or 1.
int compare(const std::string& cells, const std::string& expected, const std::string& again);
}  // namespace d2l::runner
