// SPDX-License-Identifier: MIT
// What the runner writes while it works: one line that changes on a terminal, a plain line now and then elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace d2l::runner {

/// True when the standard output is a terminal.
bool on_terminal();
/// True when it may show colours, too: NO_COLOR is not set.
bool colours();
/// `text` in a colour (31 is red) where colours may be shown, else as it is.
std::string in_colour(const char* colour, const std::string& text);
/// `text` in bold on a terminal that may show colours (NO_COLOR is not set), else as it is.
std::string bold(const std::string& text);

/// The progress of one long piece of work. Silent until the first step.
class Progress {
 public:
  explicit Progress(std::string title) : title_(std::move(title)) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Says how far the work is: "12/40".
  void step(const std::string& how_far);
  /// Takes the line off the terminal.
  void clear() noexcept;

 private:
  std::string title_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace d2l::runner
