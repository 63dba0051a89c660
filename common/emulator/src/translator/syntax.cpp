// SPDX-License-Identifier: MIT
#include "syntax.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace d2l::emulator::translator {
namespace {

constexpr std::array<std::string_view, 7> attributes = {
    "__align__", "alignas", "__attribute__", "__launch_bounds__", "__declspec", "__cluster_dims__", "__maxnreg__"};

bool is_word(std::string_view text) {
  const char c = text.empty() ? ' ' : text.back();
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

Syntax::Syntax(std::string_view source)
    : source_(source),
      tokens_(tokens_of(source)),
      partners_(tokens_.size(), -1),
      scopes_(tokens_.size(), Scope::namespace_),
      functions_(tokens_.size(), -1) {
  match_brackets();
  find_scopes();
}

std::string_view Syntax::text(int i) const { return source_.substr(token(i).begin, token(i).end - token(i).begin); }

bool Syntax::is_identifier(int i) const { return i >= 0 && i < size() && token(i).kind == Token::Kind::identifier; }

bool Syntax::is_run(int i, char c, int count) const {
  if (i < 0 || i + count > size()) return false;
  for (int k = 0; k < count; ++k) {
    const Token& one = token(i + k);
    if (one.kind != Token::Kind::punctuation || source_[one.begin] != c || one.end - one.begin != 1) return false;
    if (k > 0 && one.begin != token(i + k - 1).end) return false;
  }
  return true;
}

/// Each branch of an #if begins with the brackets that were open before the #if; after the #endif, the last branch
/// counts.
void Syntax::match_brackets() {
  std::vector<int> open;
  std::vector<std::vector<int>> before_conditions;
  std::vector<int> open_in_directive;
  int directive = 0;
  for (int i = 0; i < size(); ++i) {
    const Token& one = token(i);
    if (one.directive != 0 && one.directive != directive) {
      directive = one.directive;
      open_in_directive.clear();
      const std::string_view word = i + 1 < size() ? text(i + 1) : "";
      if (word.starts_with("if")) before_conditions.push_back(open);
      if (word.starts_with("el") && !before_conditions.empty()) open = before_conditions.back();
      if (word == "endif" && !before_conditions.empty()) before_conditions.pop_back();
    }
    if (one.kind != Token::Kind::punctuation) continue;
    auto& stack = one.directive != 0 ? open_in_directive : open;
    const char c = source_[one.begin];
    if (c == '(' || c == '[' || c == '{') stack.push_back(i);
    if (c != ')' && c != ']' && c != '}') continue;
    const char opening = c == ')' ? '(' : (c == ']' ? '[' : '{');
    while (!stack.empty() && source_[token(stack.back()).begin] != opening) stack.pop_back();
    if (stack.empty()) continue;
    partners_[static_cast<std::size_t>(i)] = stack.back();
    auto& other = partners_[static_cast<std::size_t>(stack.back())];
    if (other < 0) other = i;
    stack.pop_back();
  }
  never_closed_ = std::move(open);
}

void Syntax::find_scopes() {
  std::vector<std::pair<int, Scope>> open;  // the closing brace of each open scope
  // A brace that is never closed is an error, which the compiler explains if the rest is translated.
  const auto end_of_scope = [this](int brace) {
    return std::ranges::find(never_closed_, brace) == never_closed_.end() ? partner(brace) : size();
  };
  int function = -1;
  for (int i = 0; i < size(); ++i) {
    if (function >= 0 && i > end_of_scope(function)) function = -1;
    functions_[static_cast<std::size_t>(i)] = function;
    if (token(i).directive != 0) {
      scopes_[static_cast<std::size_t>(i)] = Scope::function;
      continue;
    }
    while (!open.empty() && i >= open.back().first) open.pop_back();
    const Scope outer = open.empty() ? Scope::namespace_ : open.back().second;
    scopes_[static_cast<std::size_t>(i)] = outer;
    if (!is(i, "{") || end_of_scope(i) <= i) continue;
    open.emplace_back(end_of_scope(i), scope_opened_by(i, outer));
    if (function < 0 && open.back().second == Scope::function) function = i;
  }
}

bool Syntax::in_device_function(int i) const {
  const int body = functions_[static_cast<std::size_t>(i)];
  if (body < 0) return false;
  int begin = statement_begin(body);
  while (is(begin - 1, ":") && is(begin - 2, ")")) begin = statement_begin(begin - 1);  // the initialisers of members
  for (int k = begin; k < body; ++k) {
    if (is(k, "__device__") || is(k, "__global__")) return true;
  }
  return false;
}

Syntax::Scope Syntax::scope_opened_by(int brace, Scope outer) const {
  Scope found = outer == Scope::function ? Scope::function : Scope::namespace_;
  bool decided = false;
  for (int i = statement_begin(brace); i < brace; ++i) {
    if (const int end = attribute_end(i); end > 0) {
      i = end;
    } else if (is(i, "template") && is(i + 1, "<")) {
      i = std::max(i, angle_end(i + 1));
    } else if (is(i, "namespace") || (is(i, "extern") && token(i + 1).kind == Token::Kind::string && i + 2 == brace)) {
      return Scope::namespace_;
    } else if (is(i, "class") || is(i, "struct") || is(i, "union") || is(i, "enum")) {
      found = Scope::class_;
      decided = true;
    } else if (is(i, "(") || is(i, "=")) {
      return Scope::function;
    }
  }
  return decided ? found : (outer == Scope::namespace_ && brace > 0 ? Scope::function : outer);
}

int Syntax::angle_begin(int i) const {
  int depth = 0;
  for (; i >= 0; --i) {
    if (is(i, ">")) ++depth;
    if (is(i, "<") && --depth == 0) return i;
    if ((is(i, ")") || is(i, "]")) && partner(i) >= 0) i = partner(i);
    if (is(i, ";") || is(i, "{") || is(i, "}")) return -1;
  }
  return -1;
}

int Syntax::angle_end(int i) const {
  int depth = 0;
  for (; i < size(); ++i) {
    if (is(i, "<")) ++depth;
    if (is(i, ">") && --depth == 0) return i;
    if ((is(i, "(") || is(i, "[") || is(i, "{")) && partner(i) > i) i = partner(i);
    if (is(i, ";") || is(i, "{") || is(i, "}")) return -1;
  }
  return -1;
}

int Syntax::statement_begin(int i) const {
  const int directive = token(i).directive;
  for (int k = i - 1; k >= 0; --k) {
    if (token(k).directive != directive) {
      if (directive != 0) return k + 1;
      continue;
    }
    if (is(k, ";") || is(k, "{") || is(k, "}") || is(k, ":")) {
      for (++k; token(k).directive != directive;) ++k;
      return k;
    }
    if ((is(k, ")") || is(k, "]")) && partner(k) >= 0) k = partner(k);
  }
  int first = 0;
  while (token(first).directive != directive) ++first;
  return first;
}

int Syntax::statement_end(int i) const {
  const int directive = token(i).directive;
  for (; i < size(); ++i) {
    if (token(i).directive != directive) {
      if (directive != 0) return -1;
      continue;
    }
    if (is(i, ";")) return i;
    if (is(i, "}") || is(i, ")")) return -1;
    if ((is(i, "(") || is(i, "[") || is(i, "{")) && partner(i) > i) i = partner(i);
  }
  return -1;
}

int Syntax::attribute_end(int i) const {
  if (is(i, "[") && is(i + 1, "[") && partner(i) > i) return partner(i);
  if (!is_identifier(i) || !is(i + 1, "(") || partner(i + 1) < 0) return -1;
  return std::ranges::find(attributes, text(i)) != attributes.end() ? partner(i + 1) : -1;
}

int Syntax::loop_body(int i) const {
  int body = i + 1;
  if (is(i, "for") || is(i, "while")) {
    if (!is(body, "(") || partner(body) < 0) return -1;
    body = partner(body) + 1;
  } else if (!is(i, "do")) {
    return -1;
  }
  return is(body, "{") ? body : -1;
}

bool Syntax::copied_by_lambda(int i) const {
  for (; i < size() && !is(i, "}"); ++i) {
    if (is(i, "[") && is(i + 1, "=")) return true;
    if (is(i, "{") && partner(i) > i && copied_by_lambda(i + 1)) return true;
    if (is(i, "{")) i = std::max(i, partner(i));
  }
  return false;
}

std::string Syntax::joined(int begin, int end) const {
  std::string line;
  for (int i = begin; i < end; ++i) {
    if (!line.empty() && ((is_word(line) && is_word(text(i).substr(0, 1))) || line.back() == ',')) line += ' ';
    line += text(i);
  }
  return line;
}

}  // namespace d2l::emulator::translator
