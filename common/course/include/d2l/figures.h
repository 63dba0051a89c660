// SPDX-License-Identifier: MIT
/// @file
/// Pictures of data, for show_svg().
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace d2l {

/// A piece of work in a schedule.
struct ScheduledPart {
  std::size_t row = 0;  ///< the index in `rows` of what does the work
  double begin = 0;     ///< when it begins, in units of time
  double end = 0;       ///< when it ends
  std::string text;     ///< the text in its rectangle
  bool filled = false;  ///< the rectangle is grey
};

/// Draws a schedule: a row with its name for each of `rows`, and in it a rectangle for each part. IndexError for a part
/// in a row that does not exist.
std::string schedule_svg(const std::vector<std::string>& rows, const std::vector<ScheduledPart>& parts);

}  // namespace d2l
