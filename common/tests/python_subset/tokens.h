// SPDX-License-Identifier: MIT
// The words of the Python subset.
#pragma once

#include <string>
#include <vector>

namespace python_subset {

enum class TokenKind { name, integer, real, string, symbol, newline, end };

struct Token {
  TokenKind kind;
  std::string text;  ///< of a newline: the spaces that the next line begins with
};

/// Splits a program into words; Unsupported for what no word begins with.
std::vector<Token> tokenize(const std::string& code);

}  // namespace python_subset
