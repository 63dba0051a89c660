// SPDX-License-Identifier: MIT
// Timeline: entries sorted into the rows of a picture.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "d2l/transfers.h"

namespace d2l::detail {

/// From one time to another, in nanoseconds.
struct Interval {
  std::int64_t began;
  std::int64_t ended;
};

/// What is drawn alike: work of a queue or of the host, copies, waits, and moments at which the host gave work to a
/// GPU.
enum class Drawn : std::int8_t { launch, copy, wait, issue };
inline constexpr std::array drawn_kinds{Drawn::launch, Drawn::copy, Drawn::wait, Drawn::issue};

/// A host thread or a GPU.
struct TimelineRow {
  std::string name;
  std::array<std::vector<Interval>, drawn_kinds.size()> intervals;  ///< by kind, in order of their beginning

  [[nodiscard]] const std::vector<Interval>& of(Drawn kind) const { return intervals[static_cast<std::size_t>(kind)]; }
};

/// What took time, row by row: host threads first, then GPUs, as many rows as a picture can hold.
struct Timeline {
  std::vector<TimelineRow> rows;
  std::size_t rows_left_out = 0;
  std::int64_t length = 0;  ///< from the first beginning, which is 0, to the last end
};

Timeline timeline_of(const std::vector<LedgerEntry>& entries);
/// In words: the label, the whole time, and for each row how many of each kind took how long.
std::string describe_timeline(const std::vector<LedgerEntry>& entries, const std::string& label);
std::string draw_timeline(const std::vector<LedgerEntry>& entries, const std::string& label);
/// What times of these entries are: "measured", or "host threads, not a GPU".
std::string label_of_measured(const std::vector<LedgerEntry>& entries);

}  // namespace d2l::detail
