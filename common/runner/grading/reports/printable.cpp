// SPDX-License-Identifier: MIT
#include "grading/reports/printable.h"

#include <nlohmann/json.hpp>
#include <regex>

#include "base/text.h"

namespace d2l::grading {

std::string printable(std::string_view text) {
  using nlohmann::json;
  const std::string utf8 = json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace));
  // Control characters (C0, DEL and C1), and the last two code points of each plane, which XML does not allow.
  static const std::regex unwanted(
      "[\\x00-\\x08\\x0b-\\x1f\\x7f]|\xc2[\x80-\x9f]|(\xef|[\xf0-\xf4][\x8f\x9f\xaf])\xbf[\xbe\xbf]");
  return std::regex_replace(utf8, unwanted, "\xEF\xBF\xBD");
}

std::string first_line(std::string_view text) {
  const std::size_t begin = text.find_first_not_of("\r\n\t ");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return printable(text.substr(0, text.find('\n')).substr(0, 200));
}

std::string escape_xml(std::string_view text) { return runner::replaced(runner::html(printable(text)), "'", "&#39;"); }

}  // namespace d2l::grading
