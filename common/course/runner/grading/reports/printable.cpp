// SPDX-License-Identifier: MIT
#include "grading/reports/printable.h"

#include <nlohmann/json.hpp>
#include <regex>

#include "base/text.h"

namespace d2l::grading {
namespace {

constexpr const char* replacement = "\xEF\xBF\xBD";

}  // namespace

std::string printable(std::string_view text) {
  using nlohmann::json;
  const std::string utf8 = json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace));
  // Control characters (C0, DEL and C1), and the last two code points of each plane, which XML does not allow. Then
  // marks of direction, other invisible characters and separators of lines.
  static const std::regex unwanted(
      "[\\x00-\\x08\\x0b-\\x1f\\x7f]|\xc2[\x80-\x9f\xad]|(\xef|[\xf0-\xf4][\x8f\x9f\xaf])\xbf[\xbe\xbf]|"
      "\xd8\x9c|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf");
  return std::regex_replace(utf8, unwanted, replacement);
}

std::string one_line(std::string_view text, std::size_t most) {
  std::string line = printable(text);
  for (const char* separator : {"\n", "\t"}) line = runner::replaced(line, separator, replacement);
  if (line.size() <= most) return line;
  while ((static_cast<unsigned char>(line[most]) & 0xc0) == 0x80) --most;  // not inside a character
  return line.substr(0, most) + "…";
}

std::string first_line(std::string_view text) {
  const std::size_t begin = text.find_first_not_of("\r\n\t ");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return printable(text.substr(0, text.find('\n')).substr(0, 200));
}

std::string escape_xml(std::string_view text) { return runner::replaced(runner::html(printable(text)), "'", "&#39;"); }

}  // namespace d2l::grading
