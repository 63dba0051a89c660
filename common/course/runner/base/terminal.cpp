// SPDX-License-Identifier: MIT
#include "base/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/terminal_markdown.h"
#include "base/terminal_text.h"
#include "base/text.h"

namespace d2l::runner {

bool on_terminal() {
  static const bool terminal = isatty(STDOUT_FILENO) == 1;
  return terminal;
}

bool escape_codes() {
  const char* terminal = std::getenv("TERM");
  return on_terminal() && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

bool colours() {
  const char* no_color = std::getenv("NO_COLOR");
  return escape_codes() && (no_color == nullptr || *no_color == '\0');
}

std::string bold(const std::string& text) { return in_colour("1", text); }

std::string in_colour(const char* colour, const std::string& text) {
  return colours() ? fmt::format("\033[{}m{}\033[0m", colour, text) : text;
}

void print_wrapped(std::FILE* file, const std::string& text) {
  const int descriptor = ::fileno(file);
  const bool terminal = ::isatty(descriptor) == 1;
  fmt::print(file, "{}", terminal ? detail::wrapped(text, detail::terminal_width(descriptor)) : text);
}

void say(const std::string& text) {
  fmt::print("{}\n", on_terminal() ? detail::wrapped(text, detail::terminal_width()) : text);
}

std::string shown(const std::string& markdown) {
  const bool coloured = colours();
  return detail::terminal_markdown(lines_of(markdown), detail::terminal_width(), coloured ? "\033[3m" : "",
                                   coloured ? "\033[0m" : "");
}

void Progress::step(const std::string& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (escape_codes()) {
    fmt::print("\r\033[K{}  {}", title_, progress);
    shown_ = true;
  } else if (now >= next_) {
    fmt::print("{}  {}\n", title_, progress);
    next_ = now + std::chrono::seconds(15);
  }
  std::fflush(stdout);
}

void Progress::clear() noexcept {
  if (shown_) std::fputs("\r\033[K", stdout);
  std::fflush(stdout);
  shown_ = false;
}

}  // namespace d2l::runner
