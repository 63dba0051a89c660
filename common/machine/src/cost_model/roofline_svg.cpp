// SPDX-License-Identifier: MIT
// The roofline as a picture and as a text. The picture has no style sheets, scripts, fonts, or identifiers that could
// clash with those of another picture on the page.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/svg.h"
#include "base/units.h"
#include "cost_model/durations.h"
#include "cost_model/roofline.h"
#include "d2l/error.h"

namespace d2l {

namespace {

using detail::rate_text;
using detail::svg::at;
using detail::svg::escaped;

constexpr const char* label = "modelled: the published float32 rates";
constexpr double width = 720;
constexpr double left = 96;  // of the plot within the picture
constexpr double top = 84;
constexpr double plot_width = width - left - 152;
constexpr double plot_height = 320;
constexpr double line_height = 16;  // of two labels, one below the other
constexpr double number_width = 18;
constexpr std::size_t max_cards = 16;  // with more, the names beside the roofs would overlap
constexpr std::size_t max_works = 24;  // and the numbers above the plot

/// The style of a roof: a colour that is visible on white and black, and dashes for readers who cannot see colours.
struct Stroke {
  const char* colour;
  const char* dashes;
};
constexpr std::array strokes{Stroke{"#2f7fc4", "none"}, Stroke{"#c4621a", "7 4"}, Stroke{"#2c8c56", "2 3"},
                             Stroke{"#9460c4", "9 3 2 3"}, Stroke{"#cc4b4b", "12 5"}};

/// A logarithmic axis between two positive numbers.
struct LogAxis {
  double low;
  double high;

  /// The position of a value: 0 at the low end, 1 at the high end.
  [[nodiscard]] double place(double value) const {
    return (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low));
  }
  /// Powers of ten between the ends, at most about ten of them.
  [[nodiscard]] std::vector<double> ticks() const {
    const auto first = static_cast<int>(std::ceil(std::log10(low)));
    const auto last = static_cast<int>(std::floor(std::log10(high)));
    const int step = (last - first) / 10 + 1;
    std::vector<double> values;
    for (int power = first; power <= last; power += step) values.push_back(std::pow(10.0, power));
    return values;
  }
};

/// The ranges of the two axes: all ridges and all works, with room around them.
struct Plot {
  LogAxis x;
  LogAxis y;

  [[nodiscard]] double x_of(double intensity) const { return left + x.place(intensity) * plot_width; }
  [[nodiscard]] double y_of(double rate) const { return top + (1 - y.place(rate)) * plot_height; }
};

Plot plot_of(const std::vector<Card>& cards, const std::vector<Work>& works) {
  double low = balance(cards.front());
  double high = low;
  double peak = 0;
  for (const Card& card : cards) {
    low = std::min(low, balance(card));
    high = std::max(high, balance(card));
    peak = std::max(peak, card.processor.float32);
  }
  low /= 10;
  high *= 4;
  for (const Work& work : works) {
    low = std::min(low, work.intensity() / 2);
    high = std::max(high, work.intensity() * 2);
  }
  double least = peak;
  for (const Card& card : cards) least = std::min(least, attainable(card, low));
  return {{low, high}, {least, 1.5 * peak}};
}

/// Moves sorted places apart until each is `gap` from the next, and none is below `low` or above `high`.
std::vector<double> spread(std::vector<double> places, double gap, double low, double high) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = std::max(places[i], i == 0 ? low : places[i - 1] + gap);
  }
  for (std::size_t i = places.size(); i-- > 0;) {
    places[i] = std::min(places[i], i + 1 == places.size() ? high : places[i + 1] - gap);
  }
  return places;
}

/// The indices of values, from the smallest value to the largest.
std::vector<std::size_t> order_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

/// The places of labels, which do not overlap, for wanted places in any order.
std::vector<double> label_places(const std::vector<double>& wanted, double gap, double low, double high) {
  const auto order = order_of(wanted);
  std::vector<double> sorted;
  sorted.reserve(order.size());
  for (const std::size_t i : order) sorted.push_back(wanted[i]);
  sorted = spread(std::move(sorted), gap, low, high);
  std::vector<double> places(wanted.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = sorted[i];
  return places;
}

std::string frame(const Plot& plot) {
  const double bottom = top + plot_height;
  std::string grid;
  std::string numbers;
  for (const double value : plot.x.ticks()) {
    const double x = plot.x_of(value);
    grid += fmt::format("M{} {}V{}", at(x), at(top), at(bottom));
    numbers +=
        fmt::format("    <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n", at(x), at(bottom + 17), value);
  }
  for (const double value : plot.y.ticks()) {
    const double y = plot.y_of(value);
    grid += fmt::format("M{} {}H{}", at(left), at(y), at(left + plot_width));
    numbers += fmt::format("    <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", at(left - 7), at(y + 4),
                           rate_text(value, "FLOP/s"));
  }
  return fmt::format(
      "  <path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.18\"/>\n"
      "  <path d=\"M{} {}V{}H{}\" fill=\"none\" stroke=\"currentColor\"/>\n"
      "  <g fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"12\">\n{}"
      "    <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"13\">operations per byte</text>\n  </g>\n",
      grid, at(left), at(top), at(bottom), at(left + plot_width), numbers, at(left + plot_width / 2), at(bottom + 36));
}

/// The roofs, and the names of the cards beside them.
std::string roofs(const Plot& plot, const std::vector<Card>& cards) {
  const double right = left + plot_width;
  std::vector<double> ends;
  ends.reserve(cards.size());
  for (const Card& card : cards) ends.push_back(plot.y_of(card.processor.float32));
  const auto places = label_places(ends, line_height, top, top + plot_height);
  std::string text;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const Card& card = cards[i];
    const auto& [colour, dashes] = strokes[i % strokes.size()];
    text += fmt::format(
        "  <path d=\"M{} {}L{} {}H{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
        at(left), at(plot.y_of(attainable(card, plot.x.low))), at(plot.x_of(balance(card))), at(ends[i]), at(right),
        colour, dashes);
    text += fmt::format("  <path d=\"M{} {}L{} {}\" fill=\"none\" stroke=\"{}\"/>\n", at(right), at(ends[i]),
                        at(right + 18), at(places[i]), colour);
    text += fmt::format(
        "  <text x=\"{}\" y=\"{}\" fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"13\">{}</text>\n",
        at(right + 23), at(places[i] + 4), escaped(card.name));
  }
  return text;
}

std::string mark(double x, double y, bool by_memory) {
  return fmt::format(
      "  <circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"{}\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n", at(x),
      at(y), by_memory ? "currentColor" : "none");
}

/// Number above the plot, a line at the intensity, a mark on each roof, and below the plot the name.
std::string works_of(const Plot& plot, const std::vector<Card>& cards, const std::vector<Work>& works) {
  std::vector<double> lines;
  lines.reserve(works.size());
  for (const Work& work : works) lines.push_back(plot.x_of(work.intensity()));
  const auto places = label_places(lines, number_width, left, left + plot_width);
  std::string text;
  for (std::size_t i = 0; i < works.size(); ++i) {
    const double intensity = works[i].intensity();
    text += fmt::format(
        "  <path d=\"M{} {}L{} {}V{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.5\" "
        "stroke-dasharray=\"1 3\"/>\n",
        at(places[i]), at(top - 16), at(lines[i]), at(top), at(top + plot_height));
    for (const Card& card : cards)
      text += mark(lines[i], plot.y_of(attainable(card, intensity)), intensity < balance(card));
    text += fmt::format(
        "  <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"currentColor\" font-family=\"sans-serif\" "
        "font-size=\"13\">{}</text>\n",
        at(places[i]), at(top - 20), i + 1);
    text += fmt::format(
        "  <text x=\"{}\" y=\"{}\" fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"13\">{}. {}: {:.3g} "
        "operations per byte</text>\n",
        at(left), at(top + plot_height + 60 + line_height * static_cast<double>(i)), i + 1, escaped(works[i].name),
        intensity);
  }
  return text;
}

std::string legend() {
  std::string text;
  double x = 420;
  for (const bool by_memory : {true, false}) {
    text += mark(x, 17.5, by_memory);
    text += fmt::format(
        "  <text x=\"{}\" y=\"22\" fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"13\">bound by "
        "{}</text>\n",
        at(x + 10), by_memory ? "memory" : "arithmetic");
    x += 146;
  }
  return text;
}

void check(const std::vector<Card>& cards, const std::vector<Work>& works, const char* operation) {
  if (cards.empty() || cards.size() > max_cards || works.size() > max_works) {
    throw ValueError(
        fmt::format("[{}] there are {} cards and {} works, but a picture has 1 to {} cards and at most {} "
                    "works",
                    operation, cards.size(), works.size(), max_cards, max_works));
  }
  // Far beyond any hardware, and far within the range of a double.
  const auto drawable = [](double number) { return number >= 1e-100 && number <= 1e100; };
  for (const Card& card : cards) {
    detail::check_card(card, operation);
    if (drawable(balance(card)) && drawable(card.processor.float32)) continue;
    throw ValueError(fmt::format("[{}] the card \"{}\" has figures too far from those of any card to be drawn",
                                 operation, card.name));
  }
  for (const Work& work : works) {
    detail::check_work(work, operation);
    if (drawable(work.intensity())) continue;
    throw ValueError(
        fmt::format("[{}] the work \"{}\" has {} operations per byte, so it has no place on a logarithmic "
                    "axis. Leave it out, or fill in its operations",
                    operation, work.name, work.intensity()));
  }
}

/// "bound by memory on T4, V100; bound by arithmetic on A100".
std::string bounds(const Work& work, const std::vector<Card>& cards) {
  std::array<std::string, 2> names;
  for (const Card& card : cards) {
    auto& list = names[work.intensity() < balance(card) ? 0 : 1];
    list += (list.empty() ? "" : ", ") + card.name;
  }
  std::string text;
  if (!names[0].empty()) text = "bound by memory on " + names[0];
  if (!names[1].empty()) text += (text.empty() ? "" : "; ") + std::string("bound by arithmetic on ") + names[1];
  return text;
}

}  // namespace

std::string roofline_description(const std::vector<Card>& cards, const std::vector<Work>& works) {
  check(cards, works, "roofline_description");
  std::string text = fmt::format("Operations per second by operations per byte ({}).", label);
  for (const Card& card : cards) {
    text += fmt::format(" {}: {}, {}, balance {:.3g}.", card.name, rate_text(card.processor.memory_bandwidth, "B/s"),
                        rate_text(card.processor.float32, "FLOP/s"), balance(card));
  }
  for (std::size_t i = 0; i < works.size(); ++i) {
    text += fmt::format(" {} {}: {:.3g} operations per byte; {}.", i + 1, works[i].name, works[i].intensity(),
                        bounds(works[i], cards));
  }
  return text;
}

std::string roofline_svg(const std::vector<Card>& cards, const std::vector<Work>& works) {
  check(cards, works, "roofline_svg");
  const Plot plot = plot_of(cards, works);
  const double height = top + plot_height + 48 + line_height * static_cast<double>(works.size());
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n"
      "  <title>Roofline, {2}</title>\n  <desc>{3}</desc>\n"
      "  <text x=\"8\" y=\"22\" fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"13\">{2}</text>\n"
      "{4}{5}{6}{7}</svg>\n",
      at(width), at(height), label, escaped(roofline_description(cards, works)), legend(), frame(plot),
      roofs(plot, cards), works_of(plot, cards, works));
}

}  // namespace d2l
