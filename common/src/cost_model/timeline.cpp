// SPDX-License-Identifier: MIT
// Which row an entry is in, and a timeline in words.
#include "cost_model/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/units.h"

namespace d2l::detail {
namespace {

using Kind = LedgerEntry::Kind;

constexpr std::size_t most_rows = 16;

/// GPUs sort behind all host threads.
using Key = std::pair<bool, std::uint64_t>;

struct Piece {
  Key row;
  Drawn kind;
  Interval when;
};

/// What of an entry is drawn: when it ran, and when it was issued to a GPU.
std::vector<Piece> pieces_of(const LedgerEntry& entry) {
  const bool ran = entry.began >= 0 && entry.ended >= entry.began;
  const Key thread{false, entry.thread};
  const bool on_gpu = entry.queue.is_cuda();
  const Key queue = on_gpu ? Key{true, static_cast<std::uint64_t>(entry.queue.index())} : thread;
  const Interval when{entry.began, entry.ended};
  switch (entry.kind) {
    case Kind::launch:
    case Kind::copy: {
      std::vector<Piece> pieces;
      if (ran) pieces.push_back({queue, entry.kind == Kind::copy ? Drawn::copy : Drawn::launch, when});
      if (on_gpu && entry.issued >= 0) pieces.push_back({thread, Drawn::issue, {entry.issued, entry.issued}});
      return pieces;
    }
    case Kind::synchronisation:
      return ran ? std::vector<Piece>{{thread, Drawn::wait, when}} : std::vector<Piece>{};
    case Kind::event_wait:
      return ran ? std::vector<Piece>{{queue, Drawn::wait, when}} : std::vector<Piece>{};
    default:
      return {};
  }
}

const char* name_of(Drawn kind, bool one) {
  switch (kind) {
    case Drawn::launch:
      return one ? "launch" : "launches";
    case Drawn::copy:
      return one ? "copy" : "copies";
    case Drawn::wait:
      return one ? "wait" : "waits";
    case Drawn::issue:
      return "issued";
  }
  return "";
}

std::string describe(const TimelineRow& row) {
  std::string text;
  for (const auto kind : drawn_kinds) {
    const auto& intervals = row.of(kind);
    if (intervals.empty()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", intervals.size(), name_of(kind, intervals.size() == 1));
    if (kind == Drawn::issue) continue;
    double seconds = 0;
    for (const auto& [began, ended] : intervals) seconds += static_cast<double>(ended - began) * 1e-9;
    text += fmt::format(", {}", in_words(seconds));
  }
  return row.name + ": " + text;
}

}  // namespace

Timeline timeline_of(const std::vector<LedgerEntry>& entries) {
  Timeline timeline;
  std::vector<Piece> pieces;
  for (const auto& entry : entries) {
    for (const auto& piece : pieces_of(entry)) pieces.push_back(piece);
  }
  std::int64_t start = std::numeric_limits<std::int64_t>::max();
  for (const auto& piece : pieces) start = std::min(start, piece.when.began);
  std::map<Key, TimelineRow> rows;
  for (const auto& [key, kind, when] : pieces) {
    const Interval interval{when.began - start, when.ended - start};
    timeline.length = std::max(timeline.length, interval.ended);
    rows[key].intervals[static_cast<std::size_t>(kind)].push_back(interval);
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
  for (const auto& row : timeline.rows) text += fmt::format(" {}.", describe(row));
  if (timeline.rows_left_out > 0) text += fmt::format(" {} more rows.", timeline.rows_left_out);
  return text;
}

std::string label_of_measured(const std::vector<LedgerEntry>& entries) {
  const bool uses_gpus = std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e.queue.is_cuda(); });
  const bool on_host = uses_gpus && num_gpus() > 0 && device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host;
  return on_host ? "host threads, not a GPU" : "measured";
}

}  // namespace d2l::detail
