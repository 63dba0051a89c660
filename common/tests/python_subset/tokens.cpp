// SPDX-License-Identifier: MIT
// Splitting a line of Python into words.
#include "python_subset/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "python_subset/value.h"

namespace python_subset {
namespace {

// Longer symbols come first, so that they win.
constexpr std::array<std::string_view, 41> symbols{"**=", "//=", "...", "**", "//", "==", "!=", "<=", ">=", "+=", "-=",
                                                   "*=",  "/=",  "%=",  "@=", "&=", "|=", "^=", "->", "<<", ">>", "+",
                                                   "-",   "*",   "/",   "%",  "@",  "<",  ">",  "=",  "(",  ")",  "[",
                                                   "]",   "{",   "}",   ",",  ":",  ".",  ";",  "~"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Scanner {
 public:
  explicit Scanner(std::string_view code) : rest_(code) {}

  std::vector<Token> scan() {
    while (!rest_.empty()) scan_one();
    tokens_.push_back({TokenKind::newline, ""});
    tokens_.push_back({TokenKind::end, ""});
    return std::move(tokens_);
  }

 private:
  void scan_one() {
    const char c = rest_.front();
    if (c == '\n') {
      rest_.remove_prefix(1);
      const auto spaces = std::min(rest_.find_first_not_of(' '), rest_.size());
      if (depth_ == 0) tokens_.push_back({TokenKind::newline, std::string(spaces, ' ')});
    } else if (c == ' ') {
      rest_.remove_prefix(1);
    } else if (c == '\'' || c == '"') {
      scan_string(c);
    } else if (is_digit(c) || (c == '.' && rest_.size() > 1 && is_digit(rest_[1]))) {
      scan_number();
    } else if (is_word(c)) {
      const auto length =
          static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), is_word) - rest_.begin());
      const auto next = rest_.substr(length, 1);
      if (next == "'" || next == "\"") throw Unsupported("string prefix");
      push(TokenKind::name, length);
    } else {
      scan_symbol();
    }
  }

  void push(TokenKind kind, std::size_t length) {
    tokens_.push_back({kind, std::string(rest_.substr(0, length))});
    rest_.remove_prefix(length);
  }

  void scan_string(char quote) {
    std::string text;
    std::size_t i = 1;
    for (; i < rest_.size() && rest_[i] != quote; ++i) {
      if (rest_[i] != '\\') {
        text += rest_[i];
      } else if (i + 1 < rest_.size()) {
        text += escaped(rest_[++i]);
      }
    }
    if (i == rest_.size() || (text.empty() && rest_.substr(i + 1, 1) == std::string_view(&quote, 1))) {
      throw Unsupported("string syntax");
    }
    tokens_.push_back({TokenKind::string, text});
    rest_.remove_prefix(i + 1);
  }

  static char escaped(char c) {
    if (c == 'n') return '\n';
    if (c == 't') return '\t';
    if (c == '\\' || c == '\'' || c == '"') return c;
    throw Unsupported("string syntax");
  }

  void scan_number() {
    std::size_t length = 0;
    bool real = false;
    while (length < rest_.size()) {
      const char c = rest_[length];
      const bool sign = (c == '+' || c == '-') && length > 0 && (rest_[length - 1] == 'e' || rest_[length - 1] == 'E');
      if (c == '.' || c == 'e' || c == 'E') {
        real = true;
      } else if (!is_digit(c) && !sign) {
        break;
      }
      ++length;
    }
    if (length < rest_.size() && is_word(rest_[length])) throw Unsupported("number syntax");
    push(real ? TokenKind::real : TokenKind::integer, length);
  }

  void scan_symbol() {
    for (const auto symbol : symbols) {
      if (rest_.substr(0, symbol.size()) != symbol) continue;
      if (symbol == "(" || symbol == "[" || symbol == "{") ++depth_;
      if (symbol == ")" || symbol == "]" || symbol == "}") --depth_;
      return push(TokenKind::symbol, symbol.size());
    }
    if (rest_.front() == '&' || rest_.front() == '|' || rest_.front() == '^') return push(TokenKind::symbol, 1);
    throw Unsupported("syntax");
  }

  std::string_view rest_;
  std::vector<Token> tokens_;
  int depth_ = 0;
};

}  // namespace

std::vector<Token> tokenize(const std::string& code) { return Scanner(code).scan(); }

}  // namespace python_subset
