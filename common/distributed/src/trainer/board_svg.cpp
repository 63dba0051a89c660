// SPDX-License-Identifier: MIT
// The board as a self-contained SVG, without identifiers that could clash with another picture on the page.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/axis.h"
#include "base/svg.h"
#include "d2l/board.h"

namespace d2l {

namespace {

using detail::Axis;
using detail::svg::at;
using detail::svg::escaped;
using Line = ProgressBoard::Line;

constexpr double width = 460;
constexpr double height = 300;
constexpr double left = 64;  // of the plot within the picture
constexpr double top = 16;
constexpr double plot_width = width - left - 20;
constexpr double plot_height = height - top - 52;

/// The style of a line: a colour that is visible on white and black, and dashes for readers who cannot see colours.
struct Stroke {
  const char* colour;
  const char* dashes;
};
constexpr std::array strokes{Stroke{"#2f7fc4", "none"},    Stroke{"#c4621a", "7 4"},  Stroke{"#2c8c56", "2 3"},
                             Stroke{"#9460c4", "9 3 2 3"}, Stroke{"#cc4b4b", "12 5"}, Stroke{"#7a7f87", "4 2"}};

const Stroke& stroke_of(std::size_t line) { return strokes[line % strokes.size()]; }

double x_of(const Axis& axis, double value) { return axis.place(value) * plot_width; }
double y_of(const Axis& axis, double value) { return (1 - axis.place(value)) * plot_height; }

/// The grid, the numbers and the names of both axes.
std::string frame(const Axis& x, const Axis& y, const ProgressBoard& board) {
  std::string grid;
  std::string numbers;
  for (const auto& tick : x.ticks()) {
    const double place = left + x_of(x, tick.value);
    grid += fmt::format("    <path d=\"M{0} {1} V{2}\"/>\n", at(place), at(top), at(top + plot_height));
    numbers += fmt::format("    <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", at(place),
                           at(top + plot_height + 17), tick.text);
  }
  for (const auto& tick : y.ticks()) {
    const double place = top + y_of(y, tick.value);
    grid += fmt::format("    <path d=\"M{0} {1} H{2}\"/>\n", at(left), at(place), at(left + plot_width));
    numbers += fmt::format("    <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", at(left - 7), at(place + 4),
                           tick.text);
  }
  if (!board.xlabel.empty()) {
    numbers += fmt::format("    <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n",
                           at(left + plot_width / 2), at(height - 12), escaped(board.xlabel));
  }
  if (!board.ylabel.empty()) {
    numbers += fmt::format(
        "    <text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n",
        at(top + plot_height / 2), escaped(board.ylabel));
  }
  return fmt::format(
      "  <g fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.18\">\n{}  </g>\n"
      "  <path d=\"M{} {} V{} H{}\" fill=\"none\" stroke=\"currentColor\"/>\n"
      "  <g fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"12\">\n{}  </g>\n",
      grid, at(left), at(top), at(top + plot_height), at(left + plot_width), numbers);
}

/// The path through the points of a line, with gaps at infinite values and nan.
std::string path_of(const Line& line, const Axis& x, const Axis& y) {
  std::string path;
  bool drawing = false;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    const bool finite = std::isfinite(line.x[i]) && std::isfinite(line.y[i]);
    if (finite) {
      path += fmt::format("{}{}{} {}", path.empty() ? "" : " ", drawing ? "L" : "M", at(x_of(x, line.x[i])),
                          at(y_of(y, line.y[i])));
    }
    drawing = finite;
  }
  return path;
}

/// A line, with a dot at each point if there are few.
std::string curve(const Line& line, const Stroke& stroke, const Axis& x, const Axis& y) {
  constexpr std::size_t few = 40;
  auto text = fmt::format(
      "    <path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\" "
      "stroke-linejoin=\"round\"/>\n",
      path_of(line, x, y), stroke.colour, stroke.dashes);
  for (std::size_t i = 0; i < line.x.size() && line.x.size() <= few; ++i) {
    if (!std::isfinite(line.x[i]) || !std::isfinite(line.y[i])) continue;
    text += fmt::format("    <circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{}\"/>\n", at(x_of(x, line.x[i])),
                        at(y_of(y, line.y[i])), stroke.colour);
  }
  return text;
}

std::string legend(const std::vector<Line>& lines) {
  std::string text;
  const double right = left + plot_width - 8;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double y = top + 16 + 18 * static_cast<double>(i);
    const auto& [colour, dashes] = stroke_of(i);
    text += fmt::format(
        "    <path d=\"M{} {} h32\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
        at(right - 32), at(y - 4), colour, dashes);
    text += fmt::format("    <text x=\"{}\" y=\"{}\">{}</text>\n", at(right - 40), at(y), escaped(lines[i].label));
  }
  if (text.empty()) return text;
  return "  <g fill=\"currentColor\" text-anchor=\"end\" font-family=\"sans-serif\" font-size=\"13\">\n" + text +
         "  </g>\n";
}

std::string title_of(const std::vector<Line>& lines, const std::string& xlabel) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ") + lines[i].label;
  }
  if (text.empty()) text = "An empty board";
  return xlabel.empty() ? text : text + " by " + xlabel;
}

detail::Range with_headroom(detail::Range limits) {
  limits.high += (limits.high - limits.low) / 20;
  return limits;
}

}  // namespace

std::string ProgressBoard::svg() const {
  std::vector<double> all_x;
  std::vector<double> all_y;
  for (const Line& line : lines_) {
    all_x.insert(all_x.end(), line.x.begin(), line.x.end());
    all_y.insert(all_y.end(), line.y.begin(), line.y.end());
  }
  const Axis x(xlim ? detail::Range{xlim->low, xlim->high} : detail::limits_of(all_x, false));
  const Axis y(ylim ? detail::Range{ylim->low, ylim->high} : with_headroom(detail::limits_of(all_y, true)));

  std::string curves;
  for (std::size_t i = 0; i < lines_.size(); ++i) curves += curve(lines_[i], stroke_of(i), x, y);
  // The inner picture clips the curves at the limits, with room for a dot on a limit.
  constexpr double room = 4;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n"
      "  <title>{2}</title>\n  <desc>{3}</desc>\n{4}"
      "  <svg x=\"{5}\" y=\"{6}\" width=\"{7}\" height=\"{8}\" viewBox=\"-{11} -{11} {7} {8}\">\n{9}  "
      "</svg>\n{10}</svg>\n",
      at(width), at(height), escaped(title_of(lines_, xlabel)), escaped(description()), frame(x, y, *this),
      at(left - room), at(top - room), at(plot_width + 2 * room), at(plot_height + 2 * room), curves, legend(lines_),
      at(room));
}

}  // namespace d2l
