// SPDX-License-Identifier: MIT
// A lesson in the terminal: prose, code with a bar beside it, and outputs.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "output/lesson_source.h"
#include "output/output_sink.h"
#include "runtime/runtime.h"

namespace d2l::detail {

namespace {

bool wants_colour() {
  const char* const refused = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if (refused != nullptr && *refused != '\0') return false;
  if (terminal != nullptr && std::strcmp(terminal, "dumb") == 0) return false;
  return ::isatty(STDOUT_FILENO) == 1;
}

/// Escape sequences, or nothing on a plain output.
struct Style {
  const char* heading = "";
  const char* code = "";
  const char* measured = "";
  const char* plain = "";
};

Style style_of_output() {
  if (!wants_colour()) return {};
  return {"\033[1m", "\033[36m", "\033[33m", "\033[0m"};
}

// The terminal shows `**bold**` without the asterisks.
std::string without_emphasis(std::string line) {
  for (auto at = line.find("**"); at != std::string::npos; at = line.find("**")) line.erase(at, 2);
  return line;
}

class TerminalSink : public OutputSink {
 public:
  void put(const Output& output, Caller caller) override {
    reach(caller);
    print(output);
    std::fflush(stdout);
  }

  void reach(Caller caller) override {
    if (!begun_) begin(caller.file);
    if (caller.file == file_) present_cells_up_to(caller.line);
    std::fflush(stdout);
  }

  void finish() override {
    for (; next_ < cells_.size(); ++next_) present(cells_[next_]);
    std::fflush(stdout);
  }

 private:
  void begin(const std::string& file) {
    begun_ = true;
    file_ = file;
    if (const auto notice = virtual_gpu_notice(); !notice.empty()) std::printf("%s\n", notice.c_str());
    if (auto cells = read_cells(file)) cells_ = *std::move(cells);
  }

  void present_cells_up_to(int line) {
    for (; next_ < cells_.size() && cells_[next_].line < line; ++next_) present(cells_[next_]);
  }

  // An empty line before a cell, and one between its code and its outputs.
  void present(const LessonCell& cell) {
    if (!blank_) std::fputs("\n", stdout);
    blank_ = false;
    for (const auto& line : cell.prose) print_prose(line);
    // The brace that ends main() is not shown.
    if (cell.code.empty() || (cell.code.size() == 1 && cell.code.front() == "}")) return;
    if (!cell.prose.empty()) std::fputs("\n", stdout);
    for (const auto& line : cell.code) {
      std::printf("  |%s%s%s%s\n", line.empty() ? "" : " ", style_.code, line.c_str(), style_.plain);
    }
    std::fputs("\n", stdout);
    blank_ = true;
  }

  void print_prose(const std::string& line) const {
    if (line.empty()) {
      std::fputs("\n", stdout);
    } else if (const auto words = line.find_first_not_of("# "); line.starts_with('#') && words != std::string::npos) {
      const bool of_the_section = words == 2;
      const auto number = of_the_section ? section_of(file_) + " " : "";
      std::printf("  %s%s%s%s\n", style_.heading, number.c_str(), line.c_str() + words, style_.plain);
    } else {
      std::printf("  %s\n", without_emphasis(line).c_str());
    }
  }

  void print(const Output& output) {
    blank_ = false;
    if (output.kind == Output::Kind::svg) {
      std::printf("[picture: %s]\n", output.label.c_str());
    } else {
      const bool measured = output.kind == Output::Kind::measured;
      std::printf("%s%s%s\n", measured ? style_.measured : "", output.text.c_str(), measured ? style_.plain : "");
    }
  }

  bool begun_ = false;
  std::string file_;
  std::vector<LessonCell> cells_;
  std::size_t next_ = 0;
  bool blank_ = false;  // the last line was empty
  Style style_ = style_of_output();
};

}  // namespace

std::unique_ptr<OutputSink> make_terminal_sink() { return std::make_unique<TerminalSink>(); }

}  // namespace d2l::detail
