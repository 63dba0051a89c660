// SPDX-License-Identifier: MIT
// The tokens of a C++ source file: enough of the language to find what CUDA adds to it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace d2l::emulator::translator {

struct Token {
  enum class Kind : unsigned char { identifier, number, string, character, punctuation, end };
  Kind kind = Kind::end;
  std::size_t begin = 0;
  std::size_t end = 0;
  int directive = 0;  ///< the number of the preprocessor directive that it is part of, from 1; 0 outside of directives
};

/// The tokens of `source`, without white space and comments. Punctuation is one character a token, except "::", "->"
/// and
/// "##". The last token has the kind `end`.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace d2l::emulator::translator
