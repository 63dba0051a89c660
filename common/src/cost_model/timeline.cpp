// SPDX-License-Identifier: MIT
// Which row an entry is in, and a timeline in words.
#include "timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "seconds_text.h"

namespace d2l::detail {
namespace {

using Kind = LedgerEntry::Kind;

constexpr std::size_t most_rows = 16;

std::optional<Drawn> drawn_as(const LedgerEntry& entry) {
  if (entry.began < 0 || entry.ended < entry.began) return std::nullopt;
  switch (entry.kind) {
    case Kind::launch:
      return Drawn::launch;
    case Kind::copy:
      return Drawn::copy;
    case Kind::synchronisation:
    case Kind::event_wait:
      return Drawn::wait;
    default:
      return std::nullopt;
  }
}

/// Sorts before all GPUs, by thread, or by index.
std::pair<bool, std::uint64_t> key_of(const LedgerEntry& entry) {
  const bool on_gpu = entry.queue.is_cuda() && entry.kind != Kind::synchronisation;
  return {on_gpu, on_gpu ? static_cast<std::uint64_t>(entry.queue.index()) : entry.thread};
}

const char* name_of(Drawn kind, bool one) {
  switch (kind) {
    case Drawn::launch:
      return one ? "launch" : "launches";
    case Drawn::copy:
      return one ? "copy" : "copies";
    case Drawn::wait:
      return one ? "wait" : "waits";
  }
  return "";
}

std::string describe(const TimelineRow& row) {
  std::string text;
  for (const auto kind : drawn_kinds) {
    const auto& intervals = row.of(kind);
    if (intervals.empty()) continue;
    double seconds = 0;
    for (const auto& [began, ended] : intervals) seconds += static_cast<double>(ended - began) * 1e-9;
    text += fmt::format("{}{} {}, {}", text.empty() ? "" : "; ", intervals.size(), name_of(kind, intervals.size() == 1),
                        in_words(seconds));
  }
  return row.name + ": " + text;
}

}  // namespace

Timeline timeline_of(const std::vector<LedgerEntry>& entries) {
  Timeline timeline;
  std::int64_t start = std::numeric_limits<std::int64_t>::max();
  std::map<std::pair<bool, std::uint64_t>, TimelineRow> rows;
  for (const auto& entry : entries) {
    if (!drawn_as(entry)) continue;
    start = std::min({start, entry.began, std::max<std::int64_t>(entry.issued, 0)});
    rows[key_of(entry)];
  }
  for (const auto& entry : entries) {
    const auto kind = drawn_as(entry);
    if (!kind) continue;
    const Interval interval{entry.began - start, entry.ended - start};
    timeline.length = std::max(timeline.length, interval.ended);
    rows[key_of(entry)].intervals[static_cast<std::size_t>(*kind)].push_back(interval);
  }
  for (auto& [key, row] : rows) {
    if (timeline.rows.size() == most_rows) {
      timeline.rows_left_out = rows.size() - most_rows;
      break;
    }
    row.name = key.first ? fmt::format("cuda:{}", key.second) : fmt::format("host thread {}", key.second);
    for (auto& intervals : row.intervals) {
      std::sort(intervals.begin(), intervals.end(), [](const auto& a, const auto& b) { return a.began < b.began; });
    }
    timeline.rows.push_back(std::move(row));
  }
  return timeline;
}

std::string describe_timeline(const std::vector<LedgerEntry>& entries, const std::string& label) {
  const auto timeline = timeline_of(entries);
  if (timeline.rows.empty()) return "Nothing that took time (" + label + ").";
  std::string text = fmt::format("{} in all ({}).", in_words(static_cast<double>(timeline.length) * 1e-9), label);
  for (const auto& row : timeline.rows) text += " " + describe(row) + ".";
  if (timeline.rows_left_out > 0) text += fmt::format(" {} more rows.", timeline.rows_left_out);
  return text;
}

std::string label_of_measured(const std::vector<LedgerEntry>& entries) {
  const bool uses_gpus = std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e.queue.is_cuda(); });
  const bool on_host = uses_gpus && num_gpus() > 0 && device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host;
  return on_host ? "host threads, not a GPU" : "measured";
}

}  // namespace d2l::detail
