// SPDX-License-Identifier: MIT
// Splits C++ into tokens for highlighting.
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

/// The tokens of the code; joined, they are the code. An unfinished string or comment is not an error.
std::vector<Token> tokens_of(std::string_view code);
/// Doxygen's class for a keyword, "keyword", "keywordtype" or "keywordflow"; empty for other names.
std::string_view keyword_class(std::string_view name);

}  // namespace d2l::weaver
