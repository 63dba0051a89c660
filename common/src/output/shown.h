// SPDX-License-Identifier: MIT
// What show() was given, and the two places that it can go to: the terminal, or a file of cells.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "d2l/caller.h"

namespace d2l::detail {

/// One output of a cell.
struct Output {
  enum class Kind { text, measured, svg };
  /// Of a measured number.
  struct Measurement {
    double value = 0;
    std::string unit;
    double low = 0;
    double high = 0;
  };
  Kind kind = Kind::text;
  std::string text;
  std::string label;  ///< what was measured, or the alternative text of a picture
  std::optional<Measurement> measurement;
};

/// Takes outputs in the order in which they are shown.
class Stage {
 public:
  virtual ~Stage() = default;
  virtual void put(const Output& output, Caller caller) = 0;
  /// Brings the reader to the caller's line, where something is about to happen that is no output.
  virtual void reach(Caller caller) = 0;
  /// The program came to its end.
  virtual void finish() = 0;
};

/// Prints each output with the prose and the code of its cell.
std::unique_ptr<Stage> make_terminal_stage();
/// Keeps the outputs, and writes them as JSON to `path` at the end; ConfigurationError when it cannot be written.
std::unique_ptr<Stage> make_capture_stage(const std::string& path);

/// Makes the stage that D2L_CELLS asks for, unless it is there; ConfigurationError when that cannot be written.
void open_stage();
/// What a function has to say to whoever runs the program: in a program that shows something, an output of the cell
/// that called it, else a line on the standard output.
void say(const std::string& line, Caller caller);
/// Brings the reader to the caller's line, where there is one who reads.
void reach(Caller caller);
/// A number with its unit, as a reader likes it: 0.0123 seconds are "12.3 ms".
std::string describe(double value, const std::string& unit);

}  // namespace d2l::detail
