// SPDX-License-Identifier: MIT
// The parser of the Python subset's statements and blocks.
#include "python_subset/parser.h"

#include <set>

#include "python_subset/expression_parser.h"

namespace python_subset {
namespace {

const std::set<std::string> statements_not_had{"while", "def", "class", "import", "from", "raise", "return", "global"};
const std::set<std::string> augmented{"+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^="};

class Parser : private ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  std::vector<NodePointer> program() {
    auto statements = block_of("");
    if (here().kind != TokenKind::end) throw Unsupported("syntax");
    return statements;
  }

 private:
  /// The statements of the lines that are indented by `spaces`, from the first one's first word on.
  std::vector<NodePointer> block_of(const std::string& spaces) {
    std::vector<NodePointer> statements;
    while (here().kind != TokenKind::end) {
      if (!at_newline()) {
        statements.push_back(statement(spaces));
      } else if (tokens_[position_ + 1].kind == TokenKind::newline || here().text == spaces) {
        ++position_;
      } else if (tokens_[position_ + 1].kind == TokenKind::end || here().text.size() < spaces.size()) {
        if (tokens_[position_ + 1].kind == TokenKind::end) ++position_;
        break;
      } else {
        throw Unsupported("syntax");
      }
      accept(";");
    }
    return statements;
  }

  /// What stands after a colon: statements on the same line, or the lines that are indented more than by `spaces`.
  NodePointer block(const std::string& spaces) {
    expect(":");
    if (at_newline()) {
      const std::string inner = here().text;
      if (inner.size() <= spaces.size()) throw Unsupported("syntax");
      return make(NodeKind::block, block_of(inner));
    }
    auto node = make(NodeKind::block, {});
    while (!at_newline()) {
      node->children.push_back(statement(spaces));
      accept(";");
    }
    return node;
  }

  /// Takes `word` where it begins the next line of the same indentation.
  bool continues_with(const std::string& word, const std::string& spaces) {
    const Token& next = tokens_[position_ + (at_newline() ? 1 : 0)];
    if (!at_newline() || here().text != spaces || next.kind != TokenKind::name || next.text != word) return false;
    position_ += 2;
    return true;
  }

  NodePointer statement(const std::string& spaces) {
    if (here().kind == TokenKind::name && statements_not_had.count(here().text) > 0) throw Unsupported(here().text);
    if (accept("pass")) return constant(None{});
    if (accept("del")) return make(NodeKind::deletion, {expressions()});
    if (accept("assert")) return make(NodeKind::assertion, {expressions()});
    if (accept("with")) return context(spaces);
    if (accept("try")) return attempt(spaces);
    if (accept("for")) return loop(spaces);
    if (accept("if")) return branch(spaces);
    return simple();
  }

  NodePointer context(const std::string& spaces) {
    auto manager = expression();
    if (at("as") || at(",")) throw Unsupported("with");
    return make(NodeKind::with, {manager, block(spaces)});
  }

  /// Whatever the class after `except` is: the cases expect the error that they make.
  NodePointer attempt(const std::string& spaces) {
    auto body = block(spaces);
    if (!continues_with("except", spaces)) throw Unsupported("try");
    if (!at(":")) expression();
    if (at("as")) throw Unsupported("try");
    return make(NodeKind::attempt, {body, block(spaces)});
  }

  NodePointer loop(const std::string& spaces) {
    auto target = targets();
    expect("in");
    auto iterable = expressions();
    return make(NodeKind::loop, {target, iterable, block(spaces)});
  }

  NodePointer branch(const std::string& spaces) {
    auto condition = expression();
    auto body = block(spaces);
    NodePointer otherwise;
    if (continues_with("elif", spaces)) {
      otherwise = branch(spaces);
    } else if (continues_with("else", spaces)) {
      otherwise = block(spaces);
    }
    return make(NodeKind::branch, {condition, body, otherwise});
  }

  NodePointer simple() {
    auto target = expressions();
    if (augmented.count(here().text) > 0 && here().kind == TokenKind::symbol) {
      const auto symbol = here().text.substr(0, here().text.size() - 1);
      ++position_;
      return make(NodeKind::assignment, {target, expressions()}, symbol);
    }
    if (accept("=")) {
      std::vector<NodePointer> others;
      auto value = expressions();
      while (accept("=")) {
        others.push_back(value);
        value = expressions();
      }
      target = make(NodeKind::assignment, {target, value});
      target->children.insert(target->children.end(), others.begin(), others.end());
    }
    if (!at_newline() && !at(";")) throw Unsupported("syntax");
    return target;
  }
};

}  // namespace

std::vector<NodePointer> parse(const std::string& code) { return Parser(code).program(); }

}  // namespace python_subset
