// SPDX-License-Identifier: MIT
#include "source/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace d2l::weaver {

namespace {

bool is_letter(char character) { return std::isalnum(static_cast<unsigned char>(character)) != 0; }

}  // namespace

std::string shielded(std::string_view html) {
  return replaced(replaced(replaced(std::string(html), "\\", "&#92;"), "@", "&#64;"), "\t", "&#9;");
}

std::string text_of_html(std::string_view html) {
  constexpr std::array<std::pair<const char*, const char*>, 8> entities{
      {{"&lt;", "<"},
       {"&gt;", ">"},
       {"&quot;", "\""},
       {"&#39;", "'"},
       {"&#92;", "\\"},
       {"&#64;", "@"},
       {"&#9;", "\t"},
       {"&amp;", "&"}}};  // last, as it makes new ones
  std::string text(html);
  for (const auto& [entity, character] : entities) text = replaced(text, entity, character);
  return text;
}

std::string plain_for_doxygen(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // Doxygen would join two or three dashes to one. It has an escape for each of these.
    const auto dashes = std::min(text.substr(i).find_first_not_of('-'), text.size() - i);
    const bool command = std::string_view("\\@&$#<>%*_`[]").find(text[i]) != std::string_view::npos;
    if (command || dashes == 2 || dashes == 3) out += '\\';
    out += dashes >= 2 ? text.substr(i, dashes) : text.substr(i, 1);
    i += dashes >= 2 ? dashes - 1 : 0;
  }
  return out;
}

std::string without_markdown(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char character = line[i];
    const bool within_word = i > 0 && i + 1 < line.size() && is_letter(line[i - 1]) && is_letter(line[i + 1]);
    if (character == '`' || (character == '*' && !within_word)) continue;
    out += character;
  }
  return out;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

}  // namespace d2l::weaver
