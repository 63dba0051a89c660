// SPDX-License-Identifier: MIT
// A timeline as a picture: no style sheet, no script, no font, and no identifiers that could clash with another
// picture's on the page.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/axis.h"
#include "base/units.h"
#include "base/svg.h"
#include "cost_model/timeline.h"

namespace d2l {

namespace detail {
namespace {

using svg::at;
using svg::escaped;

constexpr double width = 720;
constexpr double left = 112;
constexpr double top = 58;
constexpr double plot_width = width - left - 24;
constexpr double row_height = 36;

/// How a kind is drawn: each has a form of its own, for who cannot tell the colours apart. Launches stand on the bottom
/// of their row and all else hangs from its top, so that what took turns does not cover each other.
struct Style {
  const char* name;
  const char* attributes;
  double from;    ///< where it begins, below the middle of the row
  double height;  ///< from there downwards
  double least_width;
  bool by_share;  ///< as high as the share of the time that it took
};

Style style_of(Drawn kind) {
  switch (kind) {
    case Drawn::launch:
      return {"launch", "fill=\"#2f7fc4\"", 11, -22, 1, true};
    case Drawn::copy:
      return {"copy", "fill=\"none\" stroke=\"#c4621a\" stroke-width=\"2\"", -10, 20, 2, true};
    case Drawn::wait:
      return {"wait", "fill=\"none\" stroke=\"#7a7f87\" stroke-width=\"1.5\" stroke-dasharray=\"3 2\"", -10, 20, 2,
              true};
    case Drawn::issue:
      return {"issued", "fill=\"currentColor\"", 11, 5, 1, false};
  }
  return {};
}

/// Pixels from the left of the plot, and how many of them are not idle.
struct Piece {
  double begin;
  double end;
  double busy;
};

double share_of(const Piece& piece, const Style& style) {
  const double drawn = piece.end - piece.begin;
  return style.by_share && drawn > 1 ? std::clamp(piece.busy / drawn, 0.2, 1.0) : 1;
}

std::string shape(const Piece& piece, double middle, const Style& style) {
  const double length = std::max(piece.end - piece.begin, style.least_width);
  const double x = left + std::min(piece.begin, plot_width - length);
  return fmt::format("M{} {}h{}v{}h-{}z", at(x), at(middle + style.from), at(length),
                     at(style.height * share_of(piece, style)), at(length));
}

/// The intervals in pixels; those that are closer than one become one.
std::vector<Piece> pieces_of(const std::vector<Interval>& intervals, double pixels_each, const Style& style) {
  std::vector<Piece> pieces;
  for (const auto& [began, ended] : intervals) {
    const Piece next{static_cast<double>(began) * pixels_each, static_cast<double>(ended) * pixels_each,
                     static_cast<double>(ended - began) * pixels_each};
    if (pieces.empty() || next.begin - std::max(pieces.back().end, pieces.back().begin + style.least_width) >= 1) {
      pieces.push_back(next);
    } else {
      pieces.back().end = std::max(pieces.back().end, next.end);
      pieces.back().busy += next.busy;
    }
  }
  return pieces;
}

/// All rows; `by_share` becomes true when a box is lower than others for being idle in between.
std::string rows_of(const Timeline& timeline, double pixels_each, bool& by_share) {
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
      std::string path;
      for (const auto& piece : pieces_of(row.of(kind), pixels_each, style)) {
        path += shape(piece, middle, style);
        by_share = by_share || share_of(piece, style) < 0.95;
      }
      text += fmt::format("  <path d=\"{}\" {}/>\n", path, style.attributes);
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

std::string legend(bool by_share) {
  std::string text;
  double x = left;
  for (const auto kind : drawn_kinds) {
    auto style = style_of(kind);
    style.from *= 0.6;
    style.height *= 0.6;
    const double length = kind == Drawn::issue ? style.least_width : 28;
    text += fmt::format(
        "  <path d=\"{}\" {}/>\n  <text x=\"{}\" y=\"44\" fill=\"currentColor\" font-family=\"sans-serif\" "
        "font-size=\"13\">{}</text>\n",
        shape({x - left, x - left + length, length}, kind == Drawn::issue ? 30 : 39, style), style.attributes,
        at(x + length + 7), style.name);
    x += length + 68;
  }
  if (!by_share) return text;
  return text + fmt::format(
                    "  <text x=\"{}\" y=\"44\" text-anchor=\"end\" fill=\"currentColor\" "
                    "font-family=\"sans-serif\" font-size=\"12\">height: share of the time</text>\n",
                    at(width - 24));
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
  bool by_share = false;
  const auto rows = rows_of(timeline, plot_width / length, by_share);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n"
      "  <title>Timeline, {2}</title>\n  <desc>{3}</desc>\n"
      "  <text x=\"8\" y=\"22\" fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"13\">{2}</text>\n"
      "{4}{5}{6}</svg>\n",
      at(width), at(height), escaped(title), escaped(describe_timeline(entries, label)), legend(by_share),
      time_axis(length * 1e-9, bottom), rows);
}

}  // namespace detail

std::string timeline_svg(const std::vector<LedgerEntry>& entries) {
  return detail::draw_timeline(entries, detail::label_of_measured(entries));
}

std::string timeline_description(const std::vector<LedgerEntry>& entries) {
  return detail::describe_timeline(entries, detail::label_of_measured(entries));
}

}  // namespace d2l
