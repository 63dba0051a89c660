// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/message.h"
#include "d2l/error.h"
#include "d2l/figures.h"
#include "lesson/svg_text.h"

namespace d2l {

std::string schedule_svg(const std::vector<std::string>& rows, const std::vector<ScheduledPart>& parts) {
  constexpr int unit = 40;
  constexpr int names = 80;  // their width
  constexpr int row_height = 30;
  double end = 0;
  std::string text;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    text +=
        fmt::format("<text x='0' y='{}' stroke='none'>{}</text>", 22 + row_height * row, detail::svg_text(rows[row]));
  }
  for (const ScheduledPart& part : parts) {
    if (part.row >= rows.size()) {
      detail::fail<IndexError>("schedule_svg", fmt::format("row {} of {}", part.row, rows.size()), {},
                               "give a name for each row");
    }
    end = std::max(end, part.end);
    const double left = names + unit * part.begin;
    const std::size_t top = 5 + row_height * part.row;
    text += fmt::format(
        "<rect x='{}' y='{}' width='{}' height='24' fill-opacity='{}'/><text x='{}' y='{}' stroke='none'>"
        "{}</text>",
        left, top, unit * (part.end - part.begin) - 2, part.filled ? 0.3 : 0.0, left + 14, top + 17,
        detail::svg_text(part.text));
  }
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' fill='currentColor' "
      "stroke='currentColor' font-family='sans-serif' font-size='13'>{2}</svg>",
      names + unit * (end + 1), 10 + row_height * rows.size(), text);
}

}  // namespace d2l
