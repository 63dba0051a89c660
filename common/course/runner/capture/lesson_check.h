// SPDX-License-Identifier: MIT
// Runs a lesson in one configuration and compares its output with the expected one.
#pragma once

#include <string>
#include <vector>

namespace d2l::runner {

/// The exit code that CTest reports as Skipped.
inline constexpr int skipped_status = 77;

struct LessonCheck {
  std::string lesson;         ///< the program
  std::string expected;       ///< folder of the expected outputs
  std::string section;        ///< "2_2_copying"
  std::string configuration;  ///< none, virtual1, …; gpu, gpu_virtual2, … for a physical GPU
  std::string cells;          ///< the file for the capture
  std::string source;         ///< the lesson's source, for the provenance; may be empty
  std::string again;          ///< the command that writes the expected output
  std::vector<std::string> arguments;
  bool draft = false;       ///< the lesson need not be captured yet
  bool as_virtual = false;  ///< expect what as many virtual GPUs show, except for the names of the devices
  bool capture = false;     ///< write the expected output instead of comparing
};

/// Runs a lesson and compares; the exit code: 0, 1 when something differs, 77 when this machine cannot run it.
int check_lesson(const LessonCheck& check);

/// Runs a program and keeps its capture; the exit code.
int run_program(const LessonCheck& check);

/// Compares a capture with an expected output. Prints what differs and the command `again`; 0, or 1 when it differs.
int compare(const std::string& cells, const std::string& expected, const std::string& again);
}  // namespace d2l::runner
