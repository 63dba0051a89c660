// SPDX-License-Identifier: MIT
#include "source/tokens.h"

#include <algorithm>
#include <array>
#include <regex>

namespace d2l::weaver {

namespace {

constexpr std::array<std::string_view, 18> types{"auto",   "bool",   "char",    "char8_t", "double",   "float",
                                                 "int",    "long",   "short",   "signed",  "unsigned", "void",
                                                 "size_t", "int8_t", "uint8_t", "int32_t", "int64_t",  "uint64_t"};
constexpr std::array<std::string_view, 13> flow{"break", "case", "catch",  "continue", "default", "do",   "else",
                                                "for",   "if",   "return", "switch",   "try",     "while"};
constexpr std::array<std::string_view, 41> others{
    "class",   "const",    "constexpr", "consteval",   "constinit",    "concept", "delete",    "enum",   "explicit",
    "extern",  "false",    "final",     "friend",      "inline",       "mutable", "namespace", "new",    "noexcept",
    "nullptr", "operator", "override",  "private",     "protected",    "public",  "requires",  "sizeof", "static",
    "struct",  "template", "this",      "throw",       "true",         "typedef", "typename",  "union",  "using",
    "virtual", "volatile", "decltype",  "static_cast", "static_assert"};

using Kind = Token::Kind;

struct Form {
  Kind kind;
  std::regex pattern;
};

/// The forms of tokens, in the order in which they are tried.
const std::vector<Form>& forms() {
  static const std::vector<Form> all{
      {Kind::space, std::regex(R"(\s+)")},
      {Kind::comment, std::regex(R"(//[^\n]*|/\*[\s\S]*?(\*/|$))")},
      {Kind::preprocessor, std::regex(R"(#[^\n]*)")},
      {Kind::string, std::regex(R"re(R"([^(]*)\([\s\S]*?(\)\1"|$)|"(\\[\s\S]|[^"\\\n])*"?)re")},
      {Kind::character, std::regex(R"('(\\[\s\S]|[^'\\\n])*'?)")},
      {Kind::name, std::regex(R"([A-Za-z_]\w*)")},
      {Kind::number, std::regex(R"(\d[\w.']*)")},
      {Kind::sign, std::regex(R"(::|->|[\s\S])")}};
  return all;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view code) {
  std::vector<Token> tokens;
  bool line_begins = true;
  while (!code.empty()) {
    std::cmatch match;
    const auto form = std::ranges::find_if(forms(), [&](const Form& one) {
      return (line_begins || one.kind != Kind::preprocessor) &&
             std::regex_search(code.data(), code.data() + code.size(), match, one.pattern,
                               std::regex_constants::match_continuous);
    });
    tokens.push_back({form->kind, match.str()});
    if (form->kind != Kind::space) {
      line_begins = false;
    } else if (match.str().find('\n') != std::string::npos) {
      line_begins = true;
    }
    code.remove_prefix(match.str().size());
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
