// SPDX-License-Identifier: MIT
/// @file
/// Pictures of data, for show_svg().
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "d2l/tensor.h"

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

/// Draws matrices (rows, columns, queries, keys) as a grid of pictures, as the book's show_heatmaps() does: each cell
/// is darker the larger its number is, from the smallest to the largest of all. `xlabel` and `ylabel` name the keys and
/// the queries; `titles` are those of the columns. From a GPU an implicit copy. ShapeError for another number of
/// dimensions or of titles.
std::string heatmaps_svg(const Tensor& matrices, const std::string& xlabel, const std::string& ylabel,
                         const std::vector<std::string>& titles = {});

}  // namespace d2l
