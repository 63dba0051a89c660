// SPDX-License-Identifier: MIT
#include "source/highlight.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "source/text.h"
#include "source/tokens.h"

namespace d2l::weaver {

namespace {

using Kind = Token::Kind;

/// The next token before or after token `at`, spaces skipped; an empty sign at the ends.
const Token& neighbour(const std::vector<Token>& tokens, std::size_t at, int step) {
  static const Token none{Kind::sign, ""};
  for (auto i = static_cast<std::ptrdiff_t>(at) + step; i >= 0 && i < static_cast<std::ptrdiff_t>(tokens.size());
       i += step) {
    if (tokens[static_cast<std::size_t>(i)].kind != Kind::space) return tokens[static_cast<std::size_t>(i)];
  }
  return none;
}

bool is_sign(const Token& token, std::string_view text) { return token.kind == Kind::sign && token.text == text; }

/// "nn::Linear" for the qualified name that ends with token `at`.
std::string qualified_name(const std::vector<Token>& tokens, std::size_t at) {
  std::string name = tokens[at].text;
  while (at >= 2 && is_sign(tokens[at - 1], "::") && tokens[at - 2].kind == Kind::name) {
    name = tokens[at - 2].text + "::" + name;
    at -= 2;
  }
  return name;
}

/// Whether a member of an expression of unknown type is likely to be one of the standard library.
bool is_of_containers(std::string_view name) {
  constexpr std::array<std::string_view, 14> members{"at",  "back", "begin", "clear", "count",     "data", "empty",
                                                     "end", "find", "front", "get",   "push_back", "size", "what"};
  return std::find(members.begin(), members.end(), name) != members.end();
}

/// The address of the public name at token `at`.
std::optional<std::string> address_of(const std::vector<Token>& tokens, std::size_t at, const Names& names,
                                      const Variables& variables) {
  const std::string& name = tokens[at].text;
  const Token& before = neighbour(tokens, at, -1);
  const bool called = is_sign(neighbour(tokens, at, 1), "(");
  if (is_sign(before, ".") || is_sign(before, "->")) {
    const bool simple = at >= 2 && tokens[at - 1].kind == Kind::sign && tokens[at - 2].kind == Kind::name &&
                        (at < 3 || !is_sign(tokens[at - 3], "."));
    if (simple) {
      const auto variable = variables.find(tokens[at - 2].text);
      return variable == variables.end() ? std::nullopt : names.find_member(variable->second, name);
    }
    return called && !is_of_containers(name) ? names.find_member(name) : std::nullopt;
  }
  const std::string whole = qualified_name(tokens, at);
  if (whole.starts_with("std::")) return std::nullopt;
  // A local declaration hides the public name.
  const bool declares =
      before.kind == Kind::name && keyword_class(before.text) != "keywordflow" && called && !names.is_class(whole);
  if (declares || variables.contains(whole)) return std::nullopt;
  const bool qualified = whole.size() > name.size();
  if (!called && !qualified && !names.is_class(whole) && !name.starts_with('k')) return std::nullopt;
  return names.find(whole);
}

std::string_view class_of(Kind kind) {
  switch (kind) {
    case Kind::comment:
      return "comment";
    case Kind::string:
      return "stringliteral";
    case Kind::character:
      return "charliteral";
    case Kind::preprocessor:
      return "preprocessor";
    default:
      return "";
  }
}

/// A coloured token. Its tags close at the end of each line and open again.
std::string coloured(std::string_view colour, const std::string& text) {
  const auto open = fmt::format("<span class=\"{}\">", colour);
  return open + replaced(html(text), "\n", "</span>\n" + open) + "</span>";
}

std::string linked(const std::optional<std::string>& address, const std::string& text) {
  return address ? fmt::format("<a class=\"code\" href=\"{}\">{}</a>", html(*address), html(text)) : html(text);
}

std::string in_lines(const std::string& code) {
  std::string out = "<div class=\"fragment d2l-code\">";
  for (const auto& line : lines_of(code))
    out += fmt::format("<div class=\"line\">{}</div>\n", line.empty() ? " " : line);
  return out + "</div>\n";
}

}  // namespace

Variables variables_of(std::string_view code, const Names& names) {
  Variables variables;
  const auto tokens = tokens_of(code);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Kind::name || !names.is_class(qualified_name(tokens, i))) continue;
    auto next = i + 1;
    while (next < tokens.size() &&
           (tokens[next].kind == Kind::space || is_sign(tokens[next], "&") || is_sign(tokens[next], "*"))) {
      ++next;
    }
    if (next == i + 1 || next >= tokens.size() || tokens[next].kind != Kind::name) continue;
    variables[tokens[next].text] = qualified_name(tokens, i);
  }
  return variables;
}

std::string code_block(std::string_view code, const Names& names, const Variables& variables) {
  const auto tokens = tokens_of(code);
  std::string out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& [kind, text] = tokens[i];
    const auto colour = kind == Kind::name ? keyword_class(text) : class_of(kind);
    if (!colour.empty()) {
      out += coloured(colour, text);
    } else {
      out += linked(kind == Kind::name ? address_of(tokens, i, names, variables) : std::nullopt, text);
    }
  }
  return in_lines(out);
}

std::string plain_block(std::string_view text) { return in_lines(html(text)); }

std::string code_span(std::string_view code, const Names& names, const Variables& variables) {
  const auto tokens = tokens_of(code);
  const bool has_names = code.find_first_of("(:_") != std::string_view::npos ||
                         (!code.empty() && std::isupper(static_cast<unsigned char>(code.front())) != 0);
  if (!has_names) return "<code>" + html(code) + "</code>";
  // A single name means the function, or else the member of Tensor.
  if (tokens.size() == 1 && tokens[0].kind == Kind::name && !variables.contains(tokens[0].text)) {
    auto address = names.find(tokens[0].text);
    if (!address) address = names.find_member(tokens[0].text);
    if (address) return fmt::format("<a class=\"code\" href=\"{}\"><code>{}</code></a>", html(*address), html(code));
  }
  std::string out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool own = tokens[i].kind == Kind::name && keyword_class(tokens[i].text).empty();
    auto address = own ? address_of(tokens, i, names, variables) : std::nullopt;
    if (own && !address && i == 0 && is_sign(neighbour(tokens, i, 1), "(")) address = names.find_member(tokens[i].text);
    out += linked(address, tokens[i].text);
  }
  return "<code>" + out + "</code>";
}

}  // namespace d2l::weaver
