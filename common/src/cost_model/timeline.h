// SPDX-License-Identifier: MIT
// Timeline: ledger entries, sorted into the rows of a picture.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "d2l/transfers.h"

namespace d2l::detail {

/// A time interval in nanoseconds.
struct Interval {
  std::int64_t began;
  std::int64_t ended;
};

/// The kinds of shape in the picture: launches, copies, waits, and the times at which the host issued work to a GPU.
enum class Drawn : std::int8_t { launch, copy, wait, issue };
inline constexpr std::array drawn_kinds{Drawn::launch, Drawn::copy, Drawn::wait, Drawn::issue};

/// A host thread or a GPU.
struct TimelineRow {
  std::string name;
  std::array<std::vector<Interval>, drawn_kinds.size()> intervals;  ///< by kind, ordered by their beginning

  [[nodiscard]] const std::vector<Interval>& of(Drawn kind) const { return intervals[static_cast<std::size_t>(kind)]; }
};

/// The rows of the picture: host threads first, then GPUs, up to the maximum number of rows.
struct Timeline {
  std::vector<TimelineRow> rows;
  std::size_t rows_left_out = 0;
  std::int64_t length = 0;  ///< from the first beginning, at 0, to the last end
};

Timeline timeline_of(const std::vector<LedgerEntry>& entries);
/// A description: the label, the whole time, and for each row the number and time of each kind.
std::string describe_timeline(const std::vector<LedgerEntry>& entries, const std::string& label);
/// The label for measured entries: "measured", or "host threads, not a GPU".
std::string label_of_measured(const std::vector<LedgerEntry>& entries);

}  // namespace d2l::detail
