// SPDX-License-Identifier: MIT
#include "source/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace d2l::weaver {

namespace {

using Kind = Token::Kind;

constexpr std::array<std::string_view, 22> types{"auto",   "bool",   "char",    "char8_t",     "double",   "float",
                                                 "int",    "long",   "short",   "signed",      "unsigned", "void",
                                                 "size_t", "int8_t", "uint8_t", "int32_t",     "int64_t",  "uint64_t",
                                                 "dim3",   "float2", "float4",  "cudaStream_t"};
constexpr std::array<std::string_view, 13> flow{"break", "case", "catch",  "continue", "default", "do",   "else",
                                                "for",   "if",   "return", "switch",   "try",     "while"};
constexpr std::array<std::string_view, 47> others{
    "class",      "const",     "constexpr",  "consteval",    "constinit",   "concept",       "delete",
    "enum",       "explicit",  "extern",     "false",        "final",       "friend",        "inline",
    "mutable",    "namespace", "new",        "noexcept",     "nullptr",     "operator",      "override",
    "private",    "protected", "public",     "requires",     "sizeof",      "static",        "struct",
    "template",   "this",      "throw",      "true",         "typedef",     "typename",      "union",
    "using",      "virtual",   "volatile",   "decltype",     "static_cast", "static_assert", "__global__",
    "__device__", "__host__",  "__shared__", "__constant__", "__restrict__"};

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The end of the quoted text that begins at 0.
std::size_t end_of_quoted(std::string_view code) {
  for (std::size_t i = 1; i < code.size(); ++i) {
    if (code[i] == '\\') {
      ++i;
    } else if (code[i] == code.front()) {
      return i + 1;
    } else if (code[i] == '\n') {
      return i;
    }
  }
  return code.size();
}

/// The end of the R"( … )" that begins at 0.
std::size_t end_of_raw(std::string_view code) {
  const auto open = code.find('(');
  if (open == std::string_view::npos) return code.size();
  const std::string close = ")" + std::string(code.substr(2, open - 2)) + "\"";
  const auto end = code.find(close, open);
  return end == std::string_view::npos ? code.size() : end + close.size();
}

std::size_t end_of(std::string_view code, std::string_view mark, std::size_t more) {
  const auto at = code.find(mark);
  return at == std::string_view::npos ? code.size() : at + more;
}

/// The first token of non-empty code.
Token first_token(std::string_view code, bool line_begins) {
  const auto take = [&](Kind kind, std::size_t size) { return Token{kind, std::string(code.substr(0, size))}; };
  const auto while_true = [&](auto accepts) {
    return static_cast<std::size_t>(std::find_if_not(code.begin(), code.end(), accepts) - code.begin());
  };
  const char first = code.front();
  if (std::isspace(static_cast<unsigned char>(first)) != 0) {
    return take(Kind::space, while_true([](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }));
  }
  if (code.starts_with("//")) return take(Kind::comment, end_of(code, "\n", 0));
  if (code.starts_with("/*")) return take(Kind::comment, end_of(code, "*/", 2));
  if (first == '#' && line_begins) return take(Kind::preprocessor, end_of(code, "\n", 0));
  if (code.starts_with("R\"")) return take(Kind::string, end_of_raw(code));
  if (first == '"') return take(Kind::string, end_of_quoted(code));
  if (first == '\'') return take(Kind::character, end_of_quoted(code));
  if (begins_name(first)) return take(Kind::name, while_true(in_name));
  if (std::isdigit(static_cast<unsigned char>(first)) != 0) {
    return take(Kind::number, while_true([](char c) { return in_name(c) || c == '.' || c == '\''; }));
  }
  for (const std::string_view sign : {"::", "->"}) {
    if (code.starts_with(sign)) return take(Kind::sign, sign.size());
  }
  return take(Kind::sign, 1);
}

}  // namespace

std::vector<Token> tokens_of(std::string_view code) {
  std::vector<Token> tokens;
  bool line_begins = true;
  while (!code.empty()) {
    tokens.push_back(first_token(code, line_begins));
    const auto& text = tokens.back().text;
    if (tokens.back().kind != Token::Kind::space) {
      line_begins = false;
    } else if (text.find('\n') != std::string::npos) {
      line_begins = true;
    }
    code.remove_prefix(text.size());
  }
  return tokens;
}

std::string_view keyword_class(std::string_view name) {
  const auto has = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (has(types)) return "keywordtype";
  if (has(flow)) return "keywordflow";
  return has(others) ? "keyword" : "";
}

}  // namespace d2l::weaver
