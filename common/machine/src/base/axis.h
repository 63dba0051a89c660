// SPDX-License-Identifier: MIT
// Axis: the numbers on an axis of a picture, and their positions.
#pragma once

#include <string>
#include <vector>

namespace d2l::detail {

/// The two ends of an axis.
struct Range {
  double low = 0;
  double high = 1;
};

/// A number on an axis.
struct Tick {
  double value;
  std::string text;
};

/// The limits of an axis, and round numbers between them.
class Axis {
 public:
  /// An axis for `limits`, which are widened if they are equal or not finite.
  explicit Axis(Range limits);
  /// The position of a value: 0 at the low end, 1 at the high end.
  [[nodiscard]] double place(double value) const;
  [[nodiscard]] const std::vector<Tick>& ticks() const noexcept { return ticks_; }

 private:
  Range limits_;
  std::vector<Tick> ticks_;
};

/// The smallest range that contains all finite values, and also 0 if `with_zero`.
Range limits_of(const std::vector<double>& values, bool with_zero);

}  // namespace d2l::detail
