// SPDX-License-Identifier: MIT
/// @file
/// Pictures of data, for show_svg().
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "d2l/tensor.h"
#include "d2l/transfers.h"

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

/// A name for a part of a program, which begins at a point of its memory.
struct MemoryMark {
  std::size_t point = 0;  ///< the index of its first point
  std::string text;       ///< the name
};

/// Draws the memory of a device over its allocations and releases, as TransferLedger::memory_over_time() returns them,
/// and names the operation at the peak. ValueError without points, IndexError for a mark at a point that does not
/// exist.
std::string memory_svg(const std::vector<MemoryPoint>& points, const std::vector<MemoryMark>& marks = {});

/// Draws matrices (rows, columns, queries, keys) as a grid of pictures, as the book's show_heatmaps() does: each cell
/// is darker the larger its number is, from the smallest to the largest of all. `xlabel` and `ylabel` name the keys and
/// the queries; `titles` are those of the columns. From a GPU an implicit copy. ShapeError for another number of
/// dimensions or of titles.
std::string heatmaps_svg(const Tensor& matrices, const std::string& xlabel, const std::string& ylabel,
                         const std::vector<std::string>& titles = {});

}  // namespace d2l
