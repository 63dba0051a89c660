// SPDX-License-Identifier: MIT
#include "tokens.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace d2l::emulator::translator {
namespace {

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool in_word(char c) { return starts_word(c) || is_digit(c); }

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    while (skip_space(), at_ < source_.size()) read_token();
    tokens_.push_back({Token::Kind::end, source_.size(), source_.size(), 0});
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool looking_at(std::string_view text) const { return source_.substr(at_).starts_with(text); }
  /// The length of a line continuation at the current place; 0 if there is none.
  [[nodiscard]] std::size_t continuation() const {
    if (looking_at("\\\n")) return 2;
    return looking_at("\\\r\n") ? 3 : 0;
  }

  /// Skips white space, comments and continued line ends; notes where directives begin and end.
  void skip_space() {
    while (at_ < source_.size()) {
      const char c = peek();
      if (c == '\n') {
        directive_ = 0;
        line_has_token_ = false;
        ++at_;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++at_;
      } else if (continuation() != 0) {
        at_ += continuation();
      } else if (looking_at("//")) {
        while (at_ < source_.size() && peek() != '\n') at_ += std::max<std::size_t>(continuation(), 1);
      } else if (looking_at("/*")) {
        const std::size_t end = source_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? source_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  void read_token() {
    const std::size_t begin = at_;
    if (peek() == '#' && !line_has_token_) directive_ = ++directives_;
    line_has_token_ = true;
    const Token::Kind kind = read();
    tokens_.push_back({kind, begin, at_, directive_});
  }

  Token::Kind read() {
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return read_number();
    if (c == '"') return read_quoted('"', Token::Kind::string);
    if (c == '\'') return read_quoted('\'', Token::Kind::character);
    if (starts_word(c)) return read_word();
    at_ += looking_at("::") || looking_at("->") || looking_at("##") ? 2 : 1;
    return Token::Kind::punctuation;
  }

  Token::Kind read_word() {
    const std::size_t begin = at_;
    while (at_ < source_.size() && in_word(peek())) ++at_;
    const std::string_view word = source_.substr(begin, at_ - begin);
    const bool prefix = word == "L" || word == "u" || word == "U" || word == "u8";
    const bool raw = word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
    if (peek() == '"' && raw) return read_raw_string();
    if (peek() == '"' && prefix) return read_quoted('"', Token::Kind::string);
    if (peek() == '\'' && prefix) return read_quoted('\'', Token::Kind::character);
    return Token::Kind::identifier;
  }

  Token::Kind read_number() {
    while (at_ < source_.size()) {
      const char c = peek();
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (exponent && (peek(1) == '+' || peek(1) == '-')) {
        at_ += 2;
      } else if (in_word(c) || c == '.' || (c == '\'' && in_word(peek(1)))) {
        ++at_;
      } else {
        break;
      }
    }
    return Token::Kind::number;
  }

  Token::Kind read_quoted(char quote, Token::Kind kind) {
    ++at_;
    while (at_ < source_.size() && peek() != quote) {
      if (peek() == '\n') return kind;  // not closed: for the compiler to report
      at_ += peek() == '\\' ? std::max<std::size_t>(continuation(), 2) : 1;
    }
    at_ = std::min(at_ + 1, source_.size());
    return kind;
  }

  Token::Kind read_raw_string() {
    const std::size_t open = source_.find('(', at_);
    if (open == std::string_view::npos) return read_quoted('"', Token::Kind::string);
    std::string close = ")";
    close += source_.substr(at_ + 1, open - at_ - 1);
    close += '"';
    const std::size_t end = source_.find(close, open);
    at_ = end == std::string_view::npos ? source_.size() : end + close.size();
    return Token::Kind::string;
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int directive_ = 0;
  int directives_ = 0;
  bool line_has_token_ = false;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Tokenizer(source).run(); }

}  // namespace d2l::emulator::translator
