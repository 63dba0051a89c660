// SPDX-License-Identifier: MIT
// C++ taken apart, as far as colours need it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace d2l::weaver {

struct Token {
  enum class Kind { space, name, number, string, character, comment, preprocessor, sign };
  Kind kind = Kind::space;
  std::string text;
};

/// The tokens of some code, which together are the code. Code that ends within a string or a comment is no error.
std::vector<Token> tokens_of(std::string_view code);
/// Doxygen's class for a name that the language owns, "keyword", "keywordtype" or "keywordflow"; empty for others.
std::string_view keyword_class(std::string_view name);

}  // namespace d2l::weaver
