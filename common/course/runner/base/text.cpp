// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace d2l::runner {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string without_escape_codes(std::string_view text) {
  std::string out;
  bool escape = false;
  for (const char byte : text) {
    if (byte == '\033') escape = true;
    if (!escape) out += byte;
    if (byte == 'm' || byte == 'K') escape = false;
  }
  return out;
}

std::string html(std::string_view text) {
  // & is first, because the entities contain it.
  constexpr std::pair<const char*, const char*> entities[] = {
      {"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}};
  std::string out(text);
  for (const auto& [character, entity] : entities) out = replaced(out, character, entity);
  return out;
}

std::string slug(std::string_view title) {
  std::string out;
  for (const char character : title) {
    const auto letter = static_cast<unsigned char>(character);
    if (std::isalnum(letter) != 0) {
      out += static_cast<char>(std::tolower(letter));
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

}  // namespace d2l::runner
