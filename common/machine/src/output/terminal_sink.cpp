// SPDX-License-Identifier: MIT
// A lesson in the terminal: prose, code with a bar beside it, and outputs. With D2L_STEP it stops before each answer.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/terminal_markdown.h"
#include "base/terminal_text.h"
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
  const char* emphasis = "";
  const char* plain = "";
};

Style style_of_output() {
  if (!wants_colour()) return {};
  return {"\033[1m", "\033[36m", "\033[33m", "\033[3m", "\033[0m"};
}

/// Whether ./learn run --step has started the program. A rank, which cannot read the terminal, does not stop.
bool wants_steps() {
  const char* const step = std::getenv("D2L_STEP");
  return step != nullptr && *step != '\0' && ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
}

bool asks(const LessonCell& cell) {
  return std::any_of(cell.prose.begin(), cell.prose.end(),
                     [](const std::string& line) { return line.starts_with("**Predict first.**"); });
}

void wait_for_enter() {
  std::fputs("  [Enter shows the answer] ", stdout);
  std::fflush(stdout);
  for (int key = 0; key != '\n' && key != EOF;) key = std::getchar();
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
    if (const auto notice = virtual_gpu_notice(); !notice.empty()) {
      std::printf("%s\n", ::isatty(STDOUT_FILENO) == 1 ? wrapped(notice, terminal_width()).c_str() : notice.c_str());
    }
    if (auto cells = read_cells(file)) cells_ = *std::move(cells);
  }

  void present_cells_up_to(int line) {
    for (; next_ < cells_.size() && cells_[next_].line < line; ++next_) present(cells_[next_]);
  }

  // An empty line before a cell, and one between its code and its outputs.
  void present(const LessonCell& cell) {
    if (!blank_) std::fputs("\n", stdout);
    blank_ = false;
    std::vector<std::string> text;
    for (const auto& line : cell.prose) {
      const auto words = line.find_first_not_of("# ");
      if (!line.starts_with('#') || words == std::string::npos) {
        text.push_back(line);
        continue;
      }
      print_text(text);
      const auto number = words == 2 ? section_of(file_) + " " : "";  // the heading of the section
      std::printf("  %s%s%s%s\n", style_.heading, number.c_str(), line.c_str() + words, style_.plain);
    }
    print_text(text);
    print_code(cell);
    if (!step_ || !asks(cell)) return;
    wait_for_enter();
    blank_ = false;
  }

  void print_code(const LessonCell& cell) {
    // The brace that ends main() is not shown.
    if (cell.code.empty() || (cell.code.size() == 1 && cell.code.front() == "}")) return;
    if (!cell.prose.empty()) std::fputs("\n", stdout);
    for (const auto& line : cell.code) {
      std::printf("  |%s%s%s%s\n", line.empty() ? "" : " ", style_.code, line.c_str(), style_.plain);
    }
    std::fputs("\n", stdout);
    blank_ = true;
  }

  // Prints Markdown as wide as the terminal, and empties it.
  void print_text(std::vector<std::string>& markdown) const {
    constexpr int indent = 2;
    std::string text = terminal_markdown(markdown, terminal_width() - indent, style_.emphasis, style_.plain);
    for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
      std::printf("%s%s\n", end == 0 ? "" : "  ", text.substr(0, end).c_str());
    }
    markdown.clear();
  }

  void print(const Output& output) {
    blank_ = false;
    if (output.kind == Output::Kind::svg) {
      std::printf("%s\n", wrapped("[picture: " + output.label + "]", terminal_width()).c_str());
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
  bool step_ = wants_steps();
};

}  // namespace

std::unique_ptr<OutputSink> make_terminal_sink() { return std::make_unique<TerminalSink>(); }

}  // namespace d2l::detail
