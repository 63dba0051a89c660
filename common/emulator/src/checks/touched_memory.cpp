// SPDX-License-Identifier: MIT
// What a launch has accessed, from its shadow memory.
#include <algorithm>

#include "checks/regions.h"
#include "checks/source_lines.h"

namespace d2l::emulator {
namespace {

/// The lines of the last two places, so that an interval does not end where the instruction changes but not the line.
class SameLine {
 public:
  bool operator()(std::int32_t a, std::int32_t b) {
    if (a == b) return true;
    if (a == 0 || b == 0) return false;
    return number_of(a) == number_of(b);
  }

 private:
  int number_of(std::int32_t place) {
    const auto known = numbers_.find(place);
    if (known != numbers_.end()) return known->second;
    const SourceLine& line = source_line(expanded_place(place));
    const auto number = static_cast<int>(lines_.emplace(line.text(), lines_.size()).first->second);
    numbers_.emplace(place, number);
    return number;
  }
  std::unordered_map<std::int32_t, int> numbers_;
  std::unordered_map<std::string, std::size_t> lines_;
};

struct Use {
  std::uint8_t bits = 0;
  std::int32_t read = 0;
  std::int32_t write = 0;
};

Use use_of(const Cell& cell, std::uint32_t first_epoch) {
  Use use;
  if (cell.write.epoch >= first_epoch) {
    use.bits |= cell.write.atomic() ? atomic_use : plain_write;
    use.write = cell.write.place;
  }
  for (const ShadowAccess* const reader : {&cell.read, &cell.other_read}) {
    if (reader->epoch < first_epoch) continue;
    use.bits |= reader->atomic() ? atomic_use : plain_read;
    (reader->atomic() ? use.write : use.read) = reader->place;
  }
  return use;
}

const void* instruction(std::int32_t place) { return place == 0 ? nullptr : expanded_place(place); }

}  // namespace

std::vector<Interval> ShadowCells::take_touched(std::uint32_t first_epoch) {
  // More intervals than this are joined although they come from different lines.
  constexpr std::size_t many = 4096;
  std::vector<Interval> intervals;
  SameLine same_line;
  Use last;
  for (std::size_t chunk = 0; chunk < touched_.size(); ++chunk) {
    if (touched_[chunk] == 0) continue;
    touched_[chunk] = 0;
    const std::size_t end = std::min((chunk + 1) * chunk_bytes, bytes_);
    for (std::size_t offset = chunk * chunk_bytes; offset < end; offset += granularity_) {
      const Use use = use_of(cells_.get()[offset / granularity_], first_epoch);
      if (use.bits == 0) continue;
      const bool joins =
          !intervals.empty() && intervals.back().end == offset && last.bits == use.bits &&
          (intervals.size() >= many || (same_line(last.read, use.read) && same_line(last.write, use.write)));
      if (!joins) {
        intervals.push_back({offset, offset, use.bits, instruction(use.read), instruction(use.write)});
        last = use;
      }
      intervals.back().end = std::min(offset + granularity_, bytes_);
    }
  }
  return intervals;
}

std::vector<MemoryAccesses> Regions::take_touched(std::uint32_t first_epoch) {
  std::vector<MemoryAccesses> all;
  for (auto& [id, of] : touched_) {
    auto intervals = of.second->take_touched(first_epoch);
    if (!intervals.empty()) all.push_back({of.first, std::move(intervals)});
  }
  touched_.clear();
  return all;
}

}  // namespace d2l::emulator
