// SPDX-License-Identifier: MIT
// Races: two accesses to the same bytes by different threads, one of them a write, that nothing orders.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/checker.h"
#include "checks/source_lines.h"

namespace d2l::emulator {

/// True if nothing orders the earlier access, by another thread of this launch, before the running thread's.
bool Checker::concurrent(const ShadowAccess& earlier, ShadowAccess own, bool shared) const {
  if (earlier.epoch < first_epoch_) return parents_ != nullptr && !shared && concurrent_with_parent(earlier);
  if (earlier.epoch == own.epoch && earlier.thread() == own.thread()) return false;
  const Epoch& then = epochs_[earlier.epoch - first_epoch_];
  const Block& block = *worker_.block;
  const Thread& thread = *worker_.thread;
  if (then.grid_phase != grid_phase_) return false;
  const bool same_block = then.block == block.number;
  if (!same_block && shared) return false;  // that block's variable had the same address
  if (same_block && (then.phase != block.phase || earlier.thread() == own.thread())) return false;
  // Ordered by a fence and an atomic after it, which this thread or its block has seen.
  if (then.time < std::max(thread.acquired, block.acquired)) return false;
  if (!same_block || warp_of(earlier.thread()) != thread.warp()) return true;
  const auto& known = block.meetings_known[thread.warp()];
  return known == nullptr || (*known)[thread.lane() * max_lanes + lane_of(earlier.thread())] <= earlier.meetings();
}

inline void Checker::check_cell(Cell& cell, ShadowAccess own, const Access& access) {
  const bool write = writes(access.kind);
  const bool shared = access.region.shared;
  // Older accesses are of another launch; in shared memory, of another phase or block.
  const std::uint32_t oldest = shared ? worker_.block->phase_epoch : oldest_epoch_;
  if ((cell.write.epoch != own.epoch || cell.write.thread() != own.thread()) && cell.write.epoch >= oldest &&
      !(cell.write.atomic() && own.atomic()) && concurrent(cell.write, own, shared)) {
    report_race(write ? "write after write" : "read after write", cell.write, access);
  }
  if (write) {
    for (ShadowAccess* reader : {&cell.read, &cell.other_read}) {
      if (access.kind != AccessKind::atomic_guess) break;
      if (reader->epoch != own.epoch || reader->thread() != own.thread()) continue;
      if (!reader->atomic()) guesses_.insert(reader->place);
      *reader = own;
    }
    for (const ShadowAccess* reader : {&cell.read, &cell.other_read}) {
      if (reader->epoch < oldest || (reader->epoch == own.epoch && reader->thread() == own.thread())) continue;
      if (own.atomic() && (reader->atomic() || is_guess(reader->place))) continue;
      if (concurrent(*reader, own, shared)) report_race("write after read", *reader, access);
    }
    // A plain write stays known when the same thread adds an atomic one.
    const bool kept = own.atomic() && cell.write.epoch == own.epoch &&
                      (cell.write.thread_bits | ShadowAccess::atomic_bit) == own.thread_bits;
    if (!kept) cell.write = own;
    return;
  }
  if (cell.read.epoch == own.epoch && cell.read.thread() == own.thread()) {
    cell.read = own;
    return;
  }
  if (cell.read.epoch == own.epoch) {
    cell.other_read = own;
    return;
  }
  const bool replaceable = cell.read.epoch < oldest || !concurrent(cell.read, own, shared);
  (replaceable ? cell.read : cell.other_read) = own;
}

void Checker::check_races(const Access& access) {
  ShadowCells& shadow = regions_.shadow(access.region);
  if (shadow.granularity() != 1 && ((access.bytes | access.offset) & 3U) != 0) shadow.use_single_bytes();
  const Thread& thread = *worker_.thread;
  const bool atomic = is_atomic(access.kind) || (!access.region.shared && is_volatile(access.kind));
  const ShadowAccess own{worker_.block->epoch, ShadowAccess::thread_bits_of(thread.number, atomic, thread.meetings),
                         compressed_place(access.caller)};
  const unsigned shift = shadow.granularity() == 4 ? 2 : 0;
  Cell* const cells = shadow.cells();
  const std::size_t end = (access.offset + access.bytes - 1) >> shift;
  for (std::size_t i = access.offset >> shift; i <= end; ++i) {
    shadow.touch(i << shift);
    check_cell(cells[i], own, access);
  }
  if (pending_ && access.kind == AccessKind::atomic_guess &&
      pending_->region.begin + pending_->offset == access.region.begin + access.offset)
    pending_.reset();
}

bool Checker::is_guess(std::int32_t place) {
  if (guesses_.empty() || guesses_.contains(place)) return !guesses_.empty();
  // The compiler may have made several instructions of a line.
  const std::string line = line_in_launch(expanded_place(place), *worker_.launch).text();
  const bool found = std::ranges::any_of(guesses_, [&](std::int32_t guess) {
    return line_in_launch(expanded_place(guess), *worker_.launch).text() == line;
  });
  if (found) guesses_.insert(place);
  return found;
}

void Checker::report_race(const char* kind, const ShadowAccess& earlier, const Access& access) {
  const std::byte* const address = access.region.begin + access.offset;
  if (earlier.atomic() && access.kind == AccessKind::read && is_guess(compressed_place(access.caller))) return;
  if (earlier.atomic() && access.kind == AccessKind::read && !flushing_) {
    if (pending_ && pending_->region.begin + pending_->offset == address) return;
    flush_pending();
    pending_ = Pending{access.region, access.offset, earlier, access.caller, kind, access.bytes};
    return;
  }
  if (earlier.epoch < first_epoch_) return report_race_with_parent(kind, earlier, access);
  const bool writes_only =
      std::string_view(kind) == "write after write" && !earlier.atomic() && !is_atomic(access.kind);
  if (writes_only) watch_written(access);
  if (!reports_.is_new(kind, access.caller)) return;
  const Epoch& then = epochs_[earlier.epoch - first_epoch_];
  const Block& own_block = *worker_.block;
  const std::string block = then.block == own_block.number ? "" : worker_.block_text(then.block) + ", ";
  const SourceLine here = line_in_launch(access.caller, *worker_.launch);
  const SourceLine there = earlier.place == 0 ? SourceLine{"", 0, false, "", ""}
                                              : line_in_launch(expanded_place(earlier.place), *worker_.launch);
  Race race;
  race.element = (access.region.shared ? "shared " : "") +
                 element_text(*access.region.allocation, static_cast<std::ptrdiff_t>(access.offset), access.bytes);
  race.report =
      fmt::format("race at {}: {}: {}, {}, with {}{}{}", here.text(), worker_.running(), kind, race.element, block,
                  worker_.thread_text(earlier.thread()), earlier.place == 0 ? "" : " at " + there.text());
  reports_.add(FaultKind::check, race.report);
  if (writes_only) written_.note_report(access.caller, race.report);
  const std::string_view accesses = kind;  // "read after write"
  const auto side = [&](std::uint64_t of_block, unsigned thread, std::string_view what, bool atomic,
                        const SourceLine& line) {
    return Race::Side{worker_.block_text(of_block) + ", " + worker_.thread_text(thread),
                      atomic ? "atomic access" : std::string(what), line.line > 0 ? line.file : "", line.line};
  };
  race.first = side(then.block, earlier.thread(), accesses.substr(accesses.rfind(' ') + 1), earlier.atomic(), there);
  race.second = side(own_block.number, worker_.thread->number, accesses.substr(0, accesses.find(' ')),
                     is_atomic(access.kind), here);
  race.same_block = then.block == own_block.number;
  if (race.same_block && own_block.last_barrier.line != 0) race.barrier = place_text(own_block.last_barrier);
  races_.push_back(std::move(race));
}

void Checker::watch_written(const Access& access) {
  written_.watch(worker_.thread, access.region.begin + access.offset, access.bytes, access.caller);
}

/// The write has taken place, unless the counts have let another thread run between its check and itself.
void Checker::compare_written() {
  if (!written_.pending()) return;
  const OwnCode own;
  written_.compare(worker_.counter == nullptr || written_.thread() == worker_.thread);
}

/// "y of allocation #2" for "y[111] of allocation #2".
static std::string array_of(const std::string& element) {
  const std::size_t open = element.find('[');
  const std::size_t close = element.find(']');
  return open < close && close != std::string::npos ? element.substr(0, open) + element.substr(close + 1) : element;
}

/// Where a race with a read of the same array is reported, too, the value may depend on the order.
static bool is_read_too(const std::vector<Race>& races, const std::string& report) {
  const auto of_report = std::ranges::find_if(races, [&](const Race& race) { return race.report == report; });
  if (of_report == races.end()) return false;
  const std::string array = array_of(of_report->element);
  return std::ranges::any_of(races, [&](const Race& race) {
    return array_of(race.element) == array && (race.first.access == "read" || race.second.access == "read");
  });
}

void Checker::tell_same_values() {
  written_.for_each_same([this](const std::string& report, const std::string& value) {
    if (is_read_too(races_, report)) return;
    const std::string note = fmt::format(
        ". All these writes store the value that is there{}: the result does not depend on their order. Let one thread "
        "write it",
        value);
    reports_.append(report, note);
    for (Race& race : races_) {
      if (race.report == report) race.report += note;
    }
  });
}

void Checker::flush_pending() {
  if (!pending_) return;
  Pending pending = *pending_;
  pending_.reset();
  flushing_ = true;
  report_race(pending.kind, pending.earlier,
              {pending.region, pending.offset, pending.bytes, AccessKind::read, pending.caller});
  flushing_ = false;
}

void Checker::fence() {
  worker_.thread->fenced = ++time_;
  new_epoch(*worker_.block);
}

/// An atomic publishes what its thread wrote before its last fence, and sees what others have published there.
void Checker::synchronise_by_atomic(const std::byte* address) {
  Thread& thread = *worker_.thread;
  const auto found = released_.find(address);
  if (found != released_.end()) thread.acquired = std::max(thread.acquired, found->second);
  // What the thread has acquired is published too.
  const Block& block = *worker_.block;
  const std::uint32_t fenced = std::max(thread.fenced, block.fenced);
  const std::uint32_t releases = fenced == 0 ? 0 : std::max(fenced, block.acquired);
  if (releases == 0) return;
  auto& released = found != released_.end() ? found->second : released_[address];
  released = std::max(released, releases);
}

}  // namespace d2l::emulator
