// SPDX-License-Identifier: MIT
// Outputs of a program's cells, and the sink that they go to: the terminal or a capture file.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "d2l/caller.h"

namespace d2l::detail {

/// One output of a cell.
struct Output {
  enum class Kind { text, measured, svg };
  /// A measured number.
  struct Measurement {
    double value = 0;
    std::string unit;
    double low = 0;
    double high = 0;
  };
  Kind kind = Kind::text;
  std::string text;
  std::string label;  ///< of a measurement, or the alternative text of a picture
  std::optional<Measurement> measurement;
};

/// Takes outputs in the order in which they are shown.
class OutputSink {
 public:
  virtual ~OutputSink() = default;
  virtual void put(const Output& output, Caller caller) = 0;
  /// Prints the cells up to the caller's line, before something other than an output appears.
  virtual void reach(Caller caller) = 0;
  /// Called once, when the program exits.
  virtual void finish() = 0;
};

/// Prints each output after the prose and the code of its cell.
std::unique_ptr<OutputSink> make_terminal_sink();
/// Collects the outputs and writes them to the JSON file `path` at the end, whole or not at all. ConfigurationError if
/// the file cannot be written.
std::unique_ptr<OutputSink> make_capture_sink(const std::string& path);

/// From now on outputs go nowhere: another rank of the program shows them.
void mute();
/// Opens the process's sink, unless it is open: a capture if D2L_CELLS names a file, else the terminal.
/// ConfigurationError if the file cannot be written.
void open_sink();
/// Sends an output to the sink, which is opened if necessary.
void put(const Output& output, Caller caller);
/// Prints a message of the library: an output of the calling cell if the sink is open, else a line on stdout.
void say(const std::string& line, Caller caller);
/// OutputSink::reach(), if the sink is open.
void reach(Caller caller);
/// A number with a readable unit: 0.0123 seconds are "12.3 ms".
std::string describe(double value, const std::string& unit);

}  // namespace d2l::detail
