// SPDX-License-Identifier: MIT
// One axis of a picture: which numbers it shows, and where.
#pragma once

#include <string>
#include <vector>

#include "d2l/board.h"

namespace d2l::detail {

/// A number on an axis.
struct Tick {
  double value;
  std::string text;
};

/// The limits of an axis and its round numbers.
class Axis {
 public:
  /// Shows `limits`, which are made wider where they hold no room or are no numbers.
  explicit Axis(ProgressBoard::Limits limits);
  /// Where a value stands: 0 at the low end, 1 at the high one.
  [[nodiscard]] double place(double value) const;
  [[nodiscard]] const std::vector<Tick>& ticks() const noexcept { return ticks_; }

 private:
  ProgressBoard::Limits limits_;
  std::vector<Tick> ticks_;
};

/// The least limits that hold all finite values, and 0 if `with_zero`.
ProgressBoard::Limits limits_of(const std::vector<double>& values, bool with_zero);

}  // namespace d2l::detail
