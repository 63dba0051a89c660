// SPDX-License-Identifier: MIT
// A timeline as a picture: no style sheet, no script, no font, and no identifiers that could clash with another
// picture's on the page.
#include <fmt/format.h>

#include <algorithm>

#include "seconds_text.h"
#include "svg.h"
#include "timeline.h"
#include "trainer/axis.h"

namespace d2l {

namespace detail {
namespace {

using svg::at;
using svg::escaped;

constexpr double width = 720;
constexpr double left = 112;
constexpr double top = 44;
constexpr double plot_width = width - left - 24;
constexpr double row_height = 32;

/// How a kind is drawn: each has a form of its own, for who cannot tell the colours apart.
struct Style {
  const char* name;
  const char* attributes;
  double height;
  double least_width;
};

Style style_of(Drawn kind) {
  switch (kind) {
    case Drawn::launch:
      return {"launch", "fill=\"#2f7fc4\"", 20, 1};
    case Drawn::copy:
      return {"copy", "fill=\"none\" stroke=\"#c4621a\" stroke-width=\"2\"", 12, 2};
    case Drawn::wait:
      return {"wait", "fill=\"none\" stroke=\"#7a7f87\" stroke-width=\"2\" stroke-dasharray=\"3 2\"", 0, 2};
  }
  return {};
}

std::string shape(double x, double length, double middle, const Style& style) {
  length = std::max(length, style.least_width);
  if (style.height == 0) return fmt::format("M{} {}h{}", at(x), at(middle), at(length));
  return fmt::format("M{} {}h{}v{}h-{}z", at(x), at(middle - style.height / 2), at(length), at(style.height),
                     at(length));
}

/// The intervals as one path; those that are closer than a pixel become one.
std::string path_of(const std::vector<Interval>& intervals, double pixels_each, double middle, const Style& style) {
  std::string path;
  double begin = 0;
  double end = -1;  // of what is not drawn yet
  const auto draw = [&] {
    if (end >= begin) path += shape(left + begin, end - begin, middle, style);
  };
  for (const auto& [began, ended] : intervals) {
    const double from = static_cast<double>(began) * pixels_each;
    const double to = static_cast<double>(ended) * pixels_each;
    if (end >= begin && from - std::max(end, begin + style.least_width) < 1) {
      end = std::max(end, to);
      continue;
    }
    draw();
    begin = from;
    end = to;
  }
  draw();
  return path;
}

std::string rows_of(const Timeline& timeline, double pixels_each) {
  std::string text;
  double middle = top + row_height / 2;
  for (const auto& row : timeline.rows) {
    text += fmt::format(
        "  <text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"currentColor\" font-family=\"sans-serif\" "
        "font-size=\"13\">{}</text>\n",
        at(left - 8), at(middle + 4), row.name);
    for (const auto kind : drawn_kinds) {
      if (row.of(kind).empty()) continue;
      const auto style = style_of(kind);
      text +=
          fmt::format("  <path d=\"{}\" {}/>\n", path_of(row.of(kind), pixels_each, middle, style), style.attributes);
    }
    middle += row_height;
  }
  return text;
}

std::string time_axis(double seconds, double bottom) {
  const auto unit = time_unit(seconds);
  const double whole = seconds / unit.seconds;
  std::string grid;
  std::string numbers;
  const Axis axis({0, whole});
  for (const auto& tick : axis.ticks()) {
    if (tick.value > whole) continue;
    const double x = left + tick.value / whole * plot_width;
    grid += fmt::format("M{} {}V{}", at(x), at(top), at(bottom));
    numbers += fmt::format("    <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", at(x), at(bottom + 16),
                           tick.text);
  }
  return fmt::format(
      "  <path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.18\"/>\n"
      "  <path d=\"M{} {}H{}\" fill=\"none\" stroke=\"currentColor\"/>\n"
      "  <g fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"12\">\n{}"
      "    <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"13\">time in {}</text>\n  </g>\n",
      grid, at(left), at(bottom), at(left + plot_width), numbers, at(left + plot_width / 2), at(bottom + 34),
      unit.name);
}

std::string legend() {
  std::string text;
  double x = width - 24 - 3 * 84;
  for (const auto kind : drawn_kinds) {
    const auto style = style_of(kind);
    text += fmt::format(
        "  <path d=\"{}\" {}/>\n  <text x=\"{}\" y=\"22\" fill=\"currentColor\" font-family=\"sans-serif\" "
        "font-size=\"13\">{}</text>\n",
        shape(x, 28, 18, {style.name, style.attributes, style.height * 0.7, 2}), style.attributes, at(x + 34),
        style.name);
    x += 84;
  }
  return text;
}

}  // namespace

std::string draw_timeline(const std::vector<LedgerEntry>& entries, const std::string& label) {
  const auto timeline = timeline_of(entries);
  const double bottom = top + row_height * static_cast<double>(std::max<std::size_t>(timeline.rows.size(), 1));
  const double height = bottom + 44;
  const auto length = static_cast<double>(std::max<std::int64_t>(timeline.length, 1));
  const auto title = timeline.rows_left_out == 0
                         ? label
                         : fmt::format("{}; {} more rows are not drawn", label, timeline.rows_left_out);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n"
      "  <title>Timeline, {2}</title>\n  <desc>{3}</desc>\n"
      "  <text x=\"8\" y=\"22\" fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"13\">{2}</text>\n"
      "{4}{5}{6}</svg>\n",
      at(width), at(height), escaped(title), escaped(describe_timeline(entries, label)), legend(),
      time_axis(length * 1e-9, bottom), rows_of(timeline, plot_width / length));
}

}  // namespace detail

std::string timeline_svg(const std::vector<LedgerEntry>& entries) {
  return detail::draw_timeline(entries, detail::label_of_measured(entries));
}

std::string timeline_description(const std::vector<LedgerEntry>& entries) {
  return detail::describe_timeline(entries, detail::label_of_measured(entries));
}

}  // namespace d2l
