// SPDX-License-Identifier: MIT
// Decodes UTF-8 strictly, and writes what stands for the rest.
#include "text.h"

#include <cstdint>

namespace d2l::grading {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// How many bytes the character at the beginning of `text` has; 0 when they are no UTF-8.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned first = byte(0);
  const std::size_t size = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (size == 1) return 1;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  std::uint32_t code = first & (0xFFU >> (size + 1));
  for (std::size_t at = 1; at < size; ++at) {
    if ((byte(at) & 0xC0U) != 0x80) return 0;
    code = (code << 6) | (byte(at) & 0x3FU);
  }
  const std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool no_character = (code & 0xFFFEU) == 0xFFFE;  // which XML does not allow
  return code < least[size] || code > 0x10FFFF || surrogate || no_character ? 0 : size;
}

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return (first < 0x20 && first != '\t' && first != '\n') || first == 0x7F;
  return character.size() == 2 && first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

}  // namespace

std::string shown(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const std::string_view character = text.substr(0, size == 0 ? 1 : size);
    result += size == 0 || is_control(character) ? replacement : character;
    text.remove_prefix(character.size());
  }
  return result;
}

std::string first_line(std::string_view text) {
  const std::size_t begin = text.find_first_not_of("\r\n\t ");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return shown(text.substr(0, text.find('\n')).substr(0, 200));
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : shown(text)) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

}  // namespace d2l::grading
