// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/message.h"
#include "d2l/error.h"
#include "d2l/figures.h"
#include "lesson/svg_text.h"

namespace d2l {

std::string memory_svg(const std::vector<MemoryPoint>& points, const std::vector<MemoryMark>& marks) {
  if (points.empty()) {
    detail::fail<ValueError>("memory_svg", "no points", {}, "give those of TransferLedger::memory_over_time()");
  }
  constexpr double left = 80;  // the width of the numbers
  constexpr double width = 560;
  constexpr double top = 40;
  constexpr double height = 200;
  const auto less = [](const MemoryPoint& a, const MemoryPoint& b) { return a.bytes < b.bytes; };
  const auto peak = std::max_element(points.begin(), points.end(), less);
  const double largest = static_cast<double>(std::max<std::int64_t>(1, peak->bytes));
  const auto x = [&](std::size_t point) {
    return left + width * static_cast<double>(point) / static_cast<double>(points.size());
  };
  const auto y = [&](std::int64_t bytes) { return top + height * (1 - static_cast<double>(bytes) / largest); };
  const auto text = [](double at_x, double at_y, const char* anchor, const std::string& words) {
    return fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}' stroke='none'>{}</text>", at_x, at_y, anchor,
                       detail::svg_text(words));
  };
  const auto megabytes = [](std::int64_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); };

  std::string path = fmt::format("M{:.1f} {:.1f}", left, y(0));
  for (std::size_t i = 0; i < points.size(); ++i) path += fmt::format("V{:.1f}H{:.1f}", y(points[i].bytes), x(i + 1));
  path += fmt::format("V{:.1f}Z", y(0));
  std::string drawn = fmt::format("<path d='{}' fill-opacity='0.3'/>", path);
  for (const MemoryMark& mark : marks) {
    if (mark.point >= points.size()) {
      detail::fail<IndexError>("memory_svg", fmt::format("a mark at point {} of {}", mark.point, points.size()), {},
                               "a mark is at one of the points");
    }
    drawn += fmt::format("<path d='M{0:.1f} {1:.1f}V{2:.1f}' stroke-dasharray='3 3'/>", x(mark.point), top, y(0));
    drawn += text(x(mark.point) + 4, y(0) + 16, "start", mark.text);
  }
  const auto at = static_cast<std::size_t>(peak - points.begin());
  drawn += text(x(at) + 4, top - 10, x(at) > left + width / 2 ? "end" : "start", "peak: " + peak->operation);
  drawn += text(left - 6, top + 5, "end", megabytes(peak->bytes));
  drawn += text(left - 6, y(0) + 5, "end", "0");
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' fill='currentColor' "
      "stroke='currentColor' font-family='sans-serif' font-size='13'>{2}</svg>",
      left + width + 10, top + height + 24, drawn);
}

}  // namespace d2l
