// SPDX-License-Identifier: MIT
#include "watchdog/source_loops.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>
#include <string_view>

namespace d2l::emulator::watchdog {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The source with spaces in place of comments and literals.
std::string without_text(std::string source) {
  const auto blank = [&](std::size_t from, std::size_t end) {
    for (std::size_t i = from; i < std::min(end, source.size()); ++i) {
      if (source[i] != '\n') source[i] = ' ';
    }
    return end;
  };
  for (std::size_t i = 0; i < source.size();) {
    const std::string_view rest = std::string_view(source).substr(i);
    if (rest.starts_with("//")) {
      i = blank(i, std::min(source.find('\n', i), source.size()));
    } else if (rest.starts_with("/*")) {
      const std::size_t end = source.find("*/", i + 2);
      i = blank(i, end == std::string::npos ? source.size() : end + 2);
    } else if (source[i] == '"' || (source[i] == '\'' && (i == 0 || !is_word(source[i - 1])))) {
      std::size_t end = i + 1;
      while (end < source.size() && source[end] != source[i] && source[end] != '\n') end += source[end] == '\\' ? 2 : 1;
      i = blank(i, end + 1);
    } else {
      ++i;
    }
  }
  return source;
}

class Reader {
 public:
  explicit Reader(std::string source) : text_(without_text(std::move(source))) {}

  [[nodiscard]] std::optional<SourceLoop> around(int first, int last) {
    std::optional<SourceLoop> found;
    int line = 1;
    for (std::size_t at = 0; at < text_.size(); ++at) {
      if (text_[at] == '\n') ++line;
      if (at > 0 && is_word(text_[at - 1])) continue;
      const bool is_do = has_word(at, "do");
      if (!is_do && !has_word(at, "for") && (!has_word(at, "while") || ends_of_do_.count(at) > 0)) continue;
      const std::size_t end = is_do ? after_do(at) : after_statement(after_parentheses(at));
      const auto inside = text_.begin() + static_cast<std::ptrdiff_t>(at);
      const auto lines = std::count(inside, text_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
      const SourceLoop loop{line, line + static_cast<int>(lines)};
      if (loop.first <= first && loop.last >= last) found = loop;  // a later one is inside of an earlier one
    }
    return found;
  }

 private:
  [[nodiscard]] bool has_word(std::size_t at, std::string_view word) const {
    return std::string_view(text_).substr(at).starts_with(word) &&
           (at + word.size() == text_.size() || !is_word(text_[at + word.size()]));
  }
  [[nodiscard]] std::size_t after_space(std::size_t at) const {
    return std::min(text_.find_first_not_of(" \t\r\n", at), text_.size());
  }
  /// Behind the bracket that closes the next one.
  [[nodiscard]] std::size_t after_brackets(std::size_t at, char open, char close) const {
    int depth = 0;
    for (at = std::min(text_.find(open, at), text_.size()); at < text_.size(); ++at) {
      if (text_[at] == open) ++depth;
      if (text_[at] == close && --depth == 0) return at + 1;
    }
    return at;
  }
  [[nodiscard]] std::size_t after_parentheses(std::size_t at) const { return after_brackets(at, '(', ')'); }

  std::size_t after_do(std::size_t at) {
    const std::size_t tail = after_space(after_statement(at + 2));
    ends_of_do_.insert(tail);
    return after_parentheses(tail);
  }
  std::size_t after_statement(std::size_t at) {
    at = after_space(at);
    if (at >= text_.size()) return at;
    if (text_[at] == '{') return after_brackets(at, '{', '}');
    if (has_word(at, "do")) return after_do(at);
    if (has_word(at, "for") || has_word(at, "while") || has_word(at, "switch")) {
      return after_statement(after_parentheses(at));
    }
    if (has_word(at, "if")) {
      const std::size_t end = after_statement(after_parentheses(at));
      const std::size_t next = after_space(end);
      return has_word(next, "else") ? after_statement(next + 4) : end;
    }
    for (int depth = 0; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '(' || c == '{' || c == '[') ++depth;
      if (c == ')' || c == '}' || c == ']') --depth;
      if (depth < 0 || (c == ';' && depth == 0)) return at + (c == ';' ? 1 : 0);
    }
    return at;
  }

  std::string text_;
  std::set<std::size_t> ends_of_do_;  // where `while` ends a loop that begins with do
};

}  // namespace

std::optional<SourceLoop> loop_around(const std::string& source, int first, int last) {
  return Reader(source).around(first, last);
}

}  // namespace d2l::emulator::watchdog
