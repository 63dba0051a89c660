// SPDX-License-Identifier: MIT
#include "source/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace d2l::weaver {

namespace {

constexpr std::array<std::pair<char, std::string_view>, 8> entities{{{'&', "&amp;"},
                                                                     {'<', "&lt;"},
                                                                     {'>', "&gt;"},
                                                                     {'"', "&quot;"},
                                                                     {'\'', "&#39;"},
                                                                     {'\\', "&#92;"},
                                                                     {'@', "&#64;"},
                                                                     {'\t', "&#9;"}}};
constexpr std::string_view of_html = "&<>\"";
constexpr std::string_view of_doxygen = "\\@\t";

/// Writes the given characters as entities.
std::string encoded(std::string_view text, std::string_view characters) {
  std::string out;
  for (const char character : text) {
    if (characters.find(character) == std::string_view::npos) {
      out += character;
    } else {
      out += std::find_if(entities.begin(), entities.end(), [&](const auto& one) {
               return one.first == character;
             })->second;
    }
  }
  return out;
}

bool is_letter(char character) { return std::isalnum(static_cast<unsigned char>(character)) != 0; }

}  // namespace

std::string html(std::string_view text) { return encoded(text, of_html); }

std::string shielded(std::string_view html) { return encoded(html, of_doxygen); }

std::string text_of_html(std::string_view html) {
  std::string out;
  while (!html.empty()) {
    const auto* const entity =
        std::find_if(entities.begin(), entities.end(), [&](const auto& one) { return html.starts_with(one.second); });
    out += entity == entities.end() ? html.front() : entity->first;
    html.remove_prefix(entity == entities.end() ? 1 : entity->second.size());
  }
  return out;
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

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace d2l::weaver
