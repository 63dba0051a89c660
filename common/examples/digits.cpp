// SPDX-License-Identifier: MIT
// Digits as lines of a pen, which is moved, scaled and slanted for each image.
#include "examples/digits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "examples/random.h"

namespace d2l::examples {
namespace {

struct Point {
  double x;
  double y;
};
using Line = std::vector<Point>;

/// The lines of each digit, in a square from (0, 0), the left upper corner, to (1, 1).
const std::array<std::vector<Line>, 10>& lines_of_digits() {
  static const std::array<std::vector<Line>, 10> lines{{
      {{{0.5, 0},
        {0.25, 0.08},
        {0.12, 0.3},
        {0.1, 0.5},
        {0.12, 0.7},
        {0.25, 0.92},
        {0.5, 1},
        {0.75, 0.92},
        {0.88, 0.7},
        {0.9, 0.5},
        {0.88, 0.3},
        {0.75, 0.08},
        {0.5, 0}}},
      {{{0.25, 0.25}, {0.55, 0}, {0.55, 1}}},
      {{{0.1, 0.25}, {0.2, 0.08}, {0.5, 0}, {0.8, 0.08}, {0.9, 0.28}, {0.8, 0.48}, {0.1, 1}, {0.95, 1}}},
      {{{0.1, 0.1},
        {0.4, 0},
        {0.75, 0.05},
        {0.87, 0.25},
        {0.7, 0.45},
        {0.4, 0.5},
        {0.7, 0.55},
        {0.9, 0.75},
        {0.75, 0.95},
        {0.4, 1},
        {0.1, 0.9}}},
      {{{0.7, 1}, {0.7, 0}, {0.05, 0.68}, {0.95, 0.68}}},
      {{{0.85, 0}, {0.2, 0}, {0.15, 0.45}, {0.5, 0.4}, {0.85, 0.5}, {0.92, 0.75}, {0.7, 0.97}, {0.4, 1}, {0.1, 0.9}}},
      {{{0.75, 0},
        {0.4, 0.15},
        {0.15, 0.5},
        {0.1, 0.75},
        {0.25, 0.95},
        {0.55, 1},
        {0.82, 0.9},
        {0.9, 0.72},
        {0.75, 0.53},
        {0.45, 0.5},
        {0.15, 0.65}}},
      {{{0.05, 0}, {0.95, 0}, {0.4, 1}}},
      {{{0.5, 0.47},
        {0.2, 0.35},
        {0.2, 0.12},
        {0.5, 0},
        {0.8, 0.12},
        {0.8, 0.35},
        {0.5, 0.47},
        {0.12, 0.62},
        {0.12, 0.88},
        {0.5, 1},
        {0.88, 0.88},
        {0.88, 0.62},
        {0.5, 0.47}}},
      {{{0.25, 1},
        {0.6, 0.85},
        {0.85, 0.5},
        {0.9, 0.25},
        {0.75, 0.05},
        {0.45, 0},
        {0.18, 0.1},
        {0.1, 0.28},
        {0.25, 0.47},
        {0.55, 0.5},
        {0.85, 0.35}}},
  }};
  return lines;
}

/// The lines of one digit in pixels, and half the width of the pen.
struct Drawing {
  std::vector<Line> lines;
  double half_width;
};

Drawing place(const std::vector<Line>& lines, double size, Random& random) {
  const double width = size * random.uniform(0.36, 0.54);
  const double height = size * random.uniform(0.56, 0.74);
  const double slant = random.uniform(-0.25, 0.25);
  const double slope = random.uniform(-0.12, 0.12);
  const Point centre{size * random.uniform(0.42, 0.58), size * random.uniform(0.42, 0.58)};
  Drawing drawing{lines, size * random.uniform(0.03, 0.055)};
  for (Line& line : drawing.lines) {
    for (Point& point : line) {
      const Point from_centre{width * (point.x - 0.5), height * (point.y - 0.5)};
      point = {centre.x + from_centre.x - slant * from_centre.y, centre.y + from_centre.y + slope * from_centre.x};
    }
  }
  return drawing;
}

double square_of_distance(Point point, Point from, Point to) {
  const Point along{to.x - from.x, to.y - from.y};
  const double length = along.x * along.x + along.y * along.y;
  const double part = ((point.x - from.x) * along.x + (point.y - from.y) * along.y) / length;
  const double within = std::clamp(part, 0.0, 1.0);
  const Point rest{point.x - from.x - within * along.x, point.y - from.y - within * along.y};
  return rest.x * rest.x + rest.y * rest.y;
}

/// How much of the pixel around a point the pen covers, 0 to 1.
double ink_at(Point point, const Drawing& drawing) {
  double nearest = 1e9;
  for (const Line& line : drawing.lines) {
    for (std::size_t i = 1; i < line.size(); ++i) {
      nearest = std::min(nearest, square_of_distance(point, line[i - 1], line[i]));
    }
  }
  return std::clamp(drawing.half_width + 0.5 - std::sqrt(nearest), 0.0, 1.0);
}

/// The brightness of a channel without ink and with ink.
struct Colour {
  double paper = 0;
  double pen = 1;
};

std::vector<Colour> draw_colours(std::int64_t channels, Random& random) {
  std::vector<Colour> colours(static_cast<std::size_t>(channels));
  if (channels == 1) return colours;
  for (Colour& colour : colours) {
    colour.paper = random.uniform(0, 0.4);
    colour.pen = colour.paper + random.uniform(0.3, 0.6);
  }
  return colours;
}

/// Draws one image into channels × size × size pixels.
void draw(std::int64_t label, const DigitOptions& options, Random& random, float* pixels) {
  const auto drawing =
      place(lines_of_digits()[static_cast<std::size_t>(label)], static_cast<double>(options.size), random);
  const auto colours = draw_colours(options.channels, random);
  const std::int64_t area = options.size * options.size;
  for (std::int64_t i = 0; i < area; ++i) {
    const std::int64_t row = i / options.size;
    const std::int64_t column = i % options.size;
    const Point centre{static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5};
    const double ink = ink_at(centre, drawing);
    std::int64_t place = i;
    for (const Colour& colour : colours) {
      const double value = colour.paper + (colour.pen - colour.paper) * ink + options.noise * random.normal();
      pixels[place] = static_cast<float>(std::clamp(value, 0.0, 1.0));
      place += area;
    }
  }
}

}  // namespace

TensorDataset draw_digits(std::int64_t count, std::uint64_t seed, const DigitOptions& options) {
  const Tensor images = empty({count, options.channels, options.size, options.size});
  const Tensor labels = arange(count).remainder(10);
  const std::int64_t pixels = options.channels * options.size * options.size;
  auto* const first = images.data_ptr<float>();
  for (std::int64_t i = 0; i < count; ++i) {
    Random random(seed, static_cast<std::uint64_t>(i));
    draw(i % 10, options, random, first + i * pixels);
  }
  return TensorDataset({images, labels});
}

}  // namespace d2l::examples
