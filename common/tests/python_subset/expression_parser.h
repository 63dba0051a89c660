// SPDX-License-Identifier: MIT
// A recursive-descent parser of the Python subset's expressions, loosest operators first.
#pragma once

#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "python_subset/parser.h"
#include "python_subset/tokens.h"

namespace python_subset {

inline NodePointer make(NodeKind kind, std::vector<NodePointer> children, std::string text = "") {
  return std::make_shared<Node>(Node{kind, std::move(text), None{}, std::move(children), {}});
}

inline NodePointer constant(Value value) {
  auto node = make(NodeKind::constant, {});
  node->value = std::move(value);
  return node;
}

class ExpressionParser {
 public:
  explicit ExpressionParser(const std::string& code) : tokens_(tokenize(code)) {}

 protected:
  using Rule = NodePointer (ExpressionParser::*)();

  [[nodiscard]] const Token& here() const { return tokens_[position_]; }
  [[nodiscard]] bool at(const std::string& text) const {
    return here().text == text && (here().kind == TokenKind::symbol || here().kind == TokenKind::name);
  }
  bool accept(const std::string& text) {
    if (!at(text)) return false;
    ++position_;
    return true;
  }
  void expect(const std::string& text) {
    if (!accept(text)) throw Unsupported("syntax");
  }
  [[nodiscard]] bool at_newline() const { return here().kind == TokenKind::newline; }

  /// The names that a loop assigns to.
  NodePointer targets() {
    std::vector<NodePointer> names;
    do {
      if (accept("(")) {
        names.push_back(targets());
        expect(")");
      } else {
        names.push_back(postfix());
      }
    } while (accept(","));
    return names.size() == 1 ? names[0] : make(NodeKind::tuple, names);
  }

  /// Expressions with commas between them are a tuple.
  NodePointer expressions() {
    auto first = expression();
    if (!at(",")) return first;
    std::vector<NodePointer> items{first};
    while (accept(",")) {
      if (at_newline() || at(")") || at("]") || at("=")) break;
      items.push_back(expression());
    }
    return make(NodeKind::tuple, items);
  }

  NodePointer expression() {
    if (at("lambda")) throw Unsupported("lambda");
    auto value = either();
    if (!accept("if")) return value;
    auto condition = either();
    expect("else");
    return make(NodeKind::conditional, {value, condition, expression()});
  }

  NodePointer either() { return logical("or", &ExpressionParser::both); }
  NodePointer both() { return logical("and", &ExpressionParser::negation); }

  NodePointer logical(const std::string& word, Rule tighter) {
    auto left = (this->*tighter)();
    while (accept(word)) left = make(NodeKind::logical, {left, (this->*tighter)()}, word);
    return left;
  }

  NodePointer negation() {
    if (accept("not")) return make(NodeKind::unary, {negation()}, "not");
    return comparison();
  }

  /// The comparison operator that begins here, taken, or nothing.
  std::string comparison_operator() {
    static const std::set<std::string> symbols{"==", "!=", "<", "<=", ">", ">="};
    if (here().kind == TokenKind::symbol && symbols.count(here().text) > 0) return tokens_[position_++].text;
    if (accept("is")) return accept("not") ? "is not" : "is";
    if (accept("in")) return "in";
    if (at("not") && tokens_[position_ + 1].text == "in") {
      position_ += 2;
      return "not in";
    }
    return "";
  }

  NodePointer comparison() {
    auto chain = make(NodeKind::comparison, {binary(0)});
    for (auto symbol = comparison_operator(); !symbol.empty(); symbol = comparison_operator()) {
      chain->names.push_back(symbol);
      chain->children.push_back(binary(0));
    }
    return chain->names.empty() ? chain->children[0] : chain;
  }

  NodePointer binary(std::size_t level) {
    static const std::vector<std::set<std::string>> levels{{"|"},        {"^"},      {"&"},
                                                           {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"}};
    if (level == levels.size()) return unary();
    auto left = binary(level + 1);
    while (here().kind == TokenKind::symbol && levels[level].count(here().text) > 0) {
      const auto symbol = tokens_[position_++].text;
      left = make(NodeKind::binary, {left, binary(level + 1)}, symbol);
    }
    return left;
  }

  NodePointer unary() {
    for (const char* symbol : {"-", "+", "~"}) {
      if (accept(symbol)) return make(NodeKind::unary, {unary()}, symbol);
    }
    auto base = postfix();
    return accept("**") ? make(NodeKind::binary, {base, unary()}, "**") : base;
  }

  NodePointer postfix() {
    auto value = atom();
    while (true) {
      if (accept("(")) {
        value = call(value);
      } else if (accept("[")) {
        value = make(NodeKind::subscript, {value, subscripts()});
        expect("]");
      } else if (accept(".")) {
        value = make(NodeKind::attribute, {value}, tokens_[position_++].text);
      } else {
        return value;
      }
    }
  }

  NodePointer call(const NodePointer& function) {
    auto node = make(NodeKind::call, {function});
    while (!accept(")")) {
      const bool named = here().kind == TokenKind::name && tokens_[position_ + 1].text == "=";
      node->names.push_back(named ? here().text : "");
      if (named) position_ += 2;
      if (accept("**")) node->names.back() = "**";
      node->children.push_back(accept("*") ? make(NodeKind::unpacked, {expression()}) : expression());
      if (at("for")) node->children.back() = comprehension("(", node->children.back());
      if (!at(")")) expect(",");
    }
    return node;
  }

  NodePointer subscripts() {
    auto first = one_subscript();
    if (!at(",")) return first;
    std::vector<NodePointer> items{first};
    while (accept(",")) {
      if (!at("]")) items.push_back(one_subscript());
    }
    return make(NodeKind::tuple, items);
  }

  NodePointer one_subscript() {
    auto start = at(":") ? nullptr : expression();
    if (!at(":")) return start;
    std::vector<NodePointer> parts{start, nullptr, nullptr};
    for (std::size_t i = 1; i < 3 && accept(":"); ++i) {
      if (!at(":") && !at("]") && !at(",")) parts[i] = expression();
    }
    return make(NodeKind::slice, parts);
  }

  /// `item for target in iterable if condition`, from the word "for" on.
  NodePointer comprehension(const std::string& bracket, const NodePointer& item) {
    expect("for");
    auto target = targets();
    expect("in");
    auto iterable = either();
    auto condition = accept("if") ? either() : nullptr;
    if (at("for") || at("if")) throw Unsupported("comprehension");
    return make(NodeKind::comprehension, {item, target, iterable, condition}, bracket);
  }

  /// `{…}` from the first key on.
  NodePointer dictionary() {
    auto node = make(NodeKind::dictionary, {});
    while (!accept("}")) {
      const bool spread = accept("**");
      auto key = spread ? nullptr : expression();
      if (!spread && !accept(":")) throw Unsupported("set");
      auto value = expression();
      if (at("for") && !spread && node->children.empty()) {
        auto all = comprehension("{", key);
        all->children.push_back(value);
        expect("}");
        return all;
      }
      node->children.push_back(key);
      node->children.push_back(value);
      if (!at("}")) expect(",");
    }
    return node;
  }

  NodePointer atom() {
    const Token token = here();
    if (token.kind == TokenKind::newline || token.kind == TokenKind::end) throw Unsupported("syntax");
    ++position_;
    switch (token.kind) {
      case TokenKind::integer:
        return integer(token.text);
      case TokenKind::real:
        return constant(std::strtod(token.text.c_str(), nullptr));
      case TokenKind::string:
        return constant(token.text);
      case TokenKind::name:
        return named(token.text);
      default:
        return bracketed(token.text);
    }
  }

  static NodePointer integer(const std::string& digits) {
    try {
      return constant(static_cast<std::int64_t>(std::stoll(digits)));
    } catch (const std::out_of_range&) {
      throw Unsupported("integer beyond 64 bits");
    }
  }

  static NodePointer named(const std::string& name) {
    if (name == "None") return constant(None{});
    if (name == "True" || name == "False") return constant(name == "True");
    return make(NodeKind::name, {}, name);
  }

  NodePointer bracketed(const std::string& symbol) {
    if (symbol == "...") return constant(Ellipsis{});
    if (symbol == "{") return dictionary();
    if (symbol == "(") {
      if (accept(")")) return make(NodeKind::tuple, {});
      auto inner = expressions();
      if (at("for")) inner = comprehension("(", inner);
      expect(")");
      return inner;
    }
    if (symbol != "[") throw Unsupported("syntax");
    auto list = make(NodeKind::list, {});
    while (!accept("]")) {
      list->children.push_back(accept("*") ? make(NodeKind::unpacked, {expression()}) : expression());
      if (at("for")) {
        auto all = comprehension("[", list->children.back());
        expect("]");
        return all;
      }
      if (!at("]")) expect(",");
    }
    return list;
  }

  std::vector<Token> tokens_;
  std::size_t position_ = 0;
};

}  // namespace python_subset
