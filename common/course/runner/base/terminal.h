// SPDX-License-Identifier: MIT
// Progress and colours on the standard output.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace d2l::runner {

/// True when the standard output is a terminal.
bool on_terminal();
/// True when the standard output is a terminal that knows escape codes: TERM is not dumb.
bool escape_codes();
/// True when there are escape codes and NO_COLOR is not set.
bool colours();
/// `text`, with the escape codes of a colour (31 is red) when colours() is true.
std::string in_colour(const char* colour, const std::string& text);
/// `text`, in bold when colours() is true.
std::string bold(const std::string& text);

/// Prints a text, with lines as wide as the terminal if the file is one.
void print_wrapped(std::FILE* file, const std::string& text);
/// Prints lines, wrapped at the terminal's width.
void say(const std::string& text);
/// Markdown as the terminal shows it.
std::string shown(const std::string& markdown);

/// The progress of a task: on a terminal one line that changes, elsewhere at most one line every 15 seconds.
class Progress {
 public:
  explicit Progress(std::string title) : title_(std::move(title)) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows the progress, such as "12/40".
  void step(const std::string& progress);
  /// Removes the line from the terminal.
  void clear() noexcept;

 private:
  std::string title_;
  bool shown_ = false;                            ///< on the terminal
  std::chrono::steady_clock::time_point next_{};  ///< elsewhere
};

}  // namespace d2l::runner
