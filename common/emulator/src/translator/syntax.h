// SPDX-License-Identifier: MIT
// The structure of a tokenized file: partners of brackets, scopes, statements and template arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tokens.h"

namespace d2l::emulator::translator {

/// Indices are those of tokens; -1 stands for none.
class Syntax {
 public:
  enum class Scope : unsigned char { namespace_, class_, function };

  explicit Syntax(std::string_view source);

  [[nodiscard]] int size() const { return static_cast<int>(tokens_.size()); }
  [[nodiscard]] const Token& token(int i) const { return tokens_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::string_view text(int i) const;
  [[nodiscard]] bool is(int i, std::string_view text) const { return i >= 0 && i < size() && this->text(i) == text; }
  [[nodiscard]] bool is_identifier(int i) const;
  /// True if the tokens from `i` on are `count` adjacent characters `c`.
  [[nodiscard]] bool is_run(int i, char c, int count) const;
  /// True for "<<<" and ">>>", and for "<< <" and ">> >": some formatters write them so, and nvcc takes them.
  [[nodiscard]] bool is_launch_bracket(int i, char c) const { return is_run(i, c, 2) && is_run(i + 2, c, 1); }
  /// The bracket that matches the one at `i`.
  [[nodiscard]] int partner(int i) const { return partners_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] Scope scope(int i) const { return scopes_[static_cast<std::size_t>(i)]; }
  /// True in the body of a function that is marked __device__ or __global__.
  [[nodiscard]] bool in_device_function(int i) const;
  /// The '{' of the outermost function that contains the token.
  [[nodiscard]] int function_body(int i) const { return functions_[static_cast<std::size_t>(i)]; }
  /// True outside of the bodies of all functions.
  [[nodiscard]] bool outside_functions(int i) const { return function_body(i) < 0; }
  /// The '<' of the template arguments that end with the '>' at `i`; the reverse.
  [[nodiscard]] int angle_begin(int i) const;
  [[nodiscard]] int angle_end(int i) const;
  /// The first token of the statement that contains `i`, and its ';'. A statement does not leave its directive.
  [[nodiscard]] int statement_begin(int i) const;
  [[nodiscard]] int statement_end(int i) const;
  /// The last token of an attribute with parentheses that begins at `i`, such as __align__(16); -1 if there is none.
  [[nodiscard]] int attribute_end(int i) const;
  /// The '{' of the body of the loop whose keyword is at `i`; -1 if there is none.
  [[nodiscard]] int loop_body(int i) const;
  /// True if a lambda in the rest of the block, after `i`, copies the variables that it uses.
  [[nodiscard]] bool copied_by_lambda(int i) const;
  /// The tokens [begin, end) as one line of text.
  [[nodiscard]] std::string joined(int begin, int end) const;

 private:
  void match_brackets();
  void find_scopes();
  [[nodiscard]] Scope scope_opened_by(int brace, Scope outer) const;

  std::string_view source_;
  std::vector<Token> tokens_;
  std::vector<int> partners_;
  std::vector<int> never_closed_;  ///< opening brackets
  std::vector<Scope> scopes_;
  std::vector<int> functions_;  ///< the '{' of the outermost function that contains the token; -1 if there is none
};

}  // namespace d2l::emulator::translator
