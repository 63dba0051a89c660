// SPDX-License-Identifier: MIT
#include "ledger/memory_points.h"

#include <algorithm>
#include <map>

#include "ledger/memory_counts.h"

namespace d2l::detail {

namespace {

using Kind = LedgerEntry::Kind;

/// The points whose operation is not known yet.
class Awaiting {
 public:
  explicit Awaiting(std::vector<MemoryPoint>& points) : points_(points) {}

  void allocated(const LedgerEntry& entry, std::size_t point) {
    by_thread_[entry.thread].push_back(point);
    by_address_[entry.result] = {point, static_cast<std::uint64_t>(entry.bytes)};
  }
  void released(const LedgerEntry& entry) { by_address_.erase(entry.result); }
  /// The next work of a thread is what it allocated for, unless the work that writes the memory comes later.
  void worked(const LedgerEntry& entry) {
    auto& earlier = by_thread_[entry.thread];
    for (const std::size_t point : earlier) name(point, entry);
    earlier.clear();
    if (entry.result == 0 || by_address_.empty()) return;
    auto block = by_address_.upper_bound(entry.result);
    if (block == by_address_.begin()) return;
    --block;
    if (entry.result - block->first < block->second.bytes) {
      name(block->second.point, entry);
      by_address_.erase(block);
    }
  }

 private:
  struct Block {
    std::size_t point;
    std::uint64_t bytes;
  };
  void name(std::size_t point, const LedgerEntry& entry) { points_[point].operation = entry.name; }

  std::vector<MemoryPoint>& points_;
  std::map<std::uint64_t, std::vector<std::size_t>> by_thread_;
  std::map<std::uint64_t, Block> by_address_;
};

}  // namespace

std::vector<MemoryPoint> memory_points(const std::vector<LedgerEntry>& entries, Device device, std::int64_t before) {
  std::vector<MemoryPoint> points{{0, before, "begin", 0}};
  Awaiting awaiting(points);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const LedgerEntry& entry = entries[i];
    const bool here = entry.queue == device;
    const std::int64_t bytes = allocated_bytes(entry.bytes, !device.is_cpu());
    if (here && entry.kind == Kind::allocation) {
      points.push_back({entry.issued, points.back().bytes + bytes, entry.name, i});
      awaiting.allocated(entry, points.size() - 1);
    } else if (here && entry.kind == Kind::release) {
      points.push_back({entry.issued, points.back().bytes - bytes, entry.name, i});
      awaiting.released(entry);
    } else if ((here && entry.kind == Kind::launch) || (entry.kind == Kind::copy && entry.destination == device)) {
      awaiting.worked(entry);
    }
  }
  return points;
}

}  // namespace d2l::detail
