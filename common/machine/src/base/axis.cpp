// SPDX-License-Identifier: MIT
// Axis: round numbers between two limits.
#include "base/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace d2l::detail {

namespace {

Range with_room(Range limits) {
  if (!std::isfinite(limits.low) || !std::isfinite(limits.high)) return {0, 1};
  if (limits.low > limits.high) std::swap(limits.low, limits.high);
  const double size = std::max(std::fabs(limits.low), std::fabs(limits.high));
  // Outside these limits the difference overflows, or underflows and cannot be a divisor.
  if (size > 1e300) limits = {std::clamp(limits.low, -1e300, 1e300), std::clamp(limits.high, -1e300, 1e300)};
  if (limits.high - limits.low > std::max(1e-12 * size, 1e-300)) return limits;
  const double room = size > 1e-300 ? 0.5 * size : 1;
  return {limits.low - room, limits.high + room};
}

/// 1, 2 or 5 times a power of ten, such that about five steps fill the range.
double round_step(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / 5)));
  const double ratio = range / 5 / power;
  return (ratio <= 1.5 ? 1 : ratio <= 3 ? 2 : ratio <= 5.5 ? 5 : 10) * power;
}

std::string text_of(double value, double step) {
  if (std::fabs(value) >= 1e6 || step < 1e-5) return fmt::format("{:.6g}", value);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

Axis::Axis(Range limits) : limits_(with_room(limits)) {
  const double step = round_step(limits_.high - limits_.low);
  const double slack = step * 1e-9;
  const double first = std::ceil((limits_.low - slack) / step);
  for (int i = 0; i <= 10; ++i) {
    const double value = (first + i) * step;
    if (value > limits_.high + slack) break;
    const double shown = std::fabs(value) < slack ? 0 : value;
    ticks_.push_back({shown, text_of(shown, step)});
  }
}

double Axis::place(double value) const { return (value - limits_.low) / (limits_.high - limits_.low); }

Range limits_of(const std::vector<double>& values, bool with_zero) {
  Range limits{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  if (with_zero) limits = {0, 0};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    limits.low = std::min(limits.low, value);
    limits.high = std::max(limits.high, value);
  }
  return limits;
}

}  // namespace d2l::detail
