// SPDX-License-Identifier: MIT
#include "execution/allocation_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <new>

#include "base/page_size.h"

namespace d2l::emulator {
namespace {

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }
constexpr std::size_t max_freed = 4096;

std::uint8_t bits(std::size_t first, std::size_t end) {
  return static_cast<std::uint8_t>((0xffU << first) & (0xffU >> (8 - end)));
}

}  // namespace

ZeroBytes zero_bytes(std::size_t count) {
  void* const memory = std::calloc(std::max<std::size_t>(count, 1), 1);
  if (memory == nullptr) throw std::bad_alloc();
  return ZeroBytes(static_cast<std::atomic<std::uint8_t>*>(memory));
}

bool Allocation::is_initialised(std::size_t offset, std::size_t count) const noexcept {
  if (initialised == nullptr) return true;
  for (const std::size_t end = offset + count; offset < end;) {
    const std::size_t stop = std::min(end, (offset | 7U) + 1);
    const std::uint8_t wanted = bits(offset & 7U, stop - (offset & ~std::size_t{7}));
    if ((initialised[offset / 8].load(std::memory_order_relaxed) & wanted) != wanted) return false;
    offset = stop;
  }
  return true;
}

void Allocation::mark_initialised(std::size_t offset, std::size_t count) const noexcept {
  if (initialised == nullptr) return;
  for (const std::size_t end = offset + count; offset < end;) {
    const std::size_t stop = std::min(end, (offset | 7U) + 1);
    const std::uint8_t wanted = bits(offset & 7U, stop - (offset & ~std::size_t{7}));
    auto& cell = initialised[offset / 8];
    if ((cell.load(std::memory_order_relaxed) & wanted) != wanted) cell.fetch_or(wanted, std::memory_order_relaxed);
    offset = stop;
  }
}

std::shared_ptr<Allocation> AllocationTable::add(const void* begin, std::size_t bytes, MemoryKind kind, int device,
                                                 std::string name, bool initialised) {
  static std::atomic<std::uint64_t> last_id{0};
  auto range = std::make_shared<Allocation>();
  range->id = ++last_id;
  range->begin = static_cast<const std::byte*>(begin);
  range->bytes = bytes;
  range->kind = kind;
  range->device = device;
  range->name = std::move(name);
  if (track_initialised_ && !initialised) {
    range->initialised = zero_bytes((bytes + 7) / 8);
  }
  put(range);
  return range;
}

void AllocationTable::put(const std::shared_ptr<Allocation>& range) {
  const std::unique_lock lock(mutex_);
  // The addresses are in use again: forget the freed ranges there.
  const auto begin = number(range->begin);
  auto next = ranges_.lower_bound(begin);
  if (next != ranges_.begin() && std::prev(next)->second->contains(range->begin)) --next;
  while (next != ranges_.end() && (next->first < begin + range->bytes || next->first == begin)) {
    if (next->second->freed) --freed_;
    next = ranges_.erase(next);
  }
  ranges_[begin] = range;
  version_.fetch_add(1, std::memory_order_release);
}

void AllocationTable::free(const void* begin) {
  const std::unique_lock lock(mutex_);
  const auto found = ranges_.find(number(begin));
  if (found == ranges_.end()) return;
  found->second->freed = true;
  if (++freed_ > max_freed) {
    const auto forgotten = [](const auto& entry) { return entry.second->freed && !entry.second->of_graph; };
    freed_ -= std::erase_if(ranges_, forgotten);
  }
  version_.fetch_add(1, std::memory_order_release);
}

void AllocationTable::set_live(const std::shared_ptr<Allocation>& range, bool live) {
  const std::unique_lock lock(mutex_);
  const auto found = ranges_.find(number(range->begin));
  if (found == ranges_.end() || found->second != range || range->freed.exchange(!live) == !live) return;
  freed_ += live ? std::size_t{0} - 1 : 1;
  for (std::size_t i = 0; live && range->initialised != nullptr && i < (range->bytes + 7) / 8; ++i) {
    range->initialised[i].store(0, std::memory_order_relaxed);
  }
  version_.fetch_add(1, std::memory_order_release);
}

void AllocationTable::remove(const void* begin) {
  const std::unique_lock lock(mutex_);
  const auto found = ranges_.find(number(begin));
  if (found == ranges_.end()) return;
  if (found->second->freed) --freed_;
  ranges_.erase(found);
  version_.fetch_add(1, std::memory_order_release);
}

void AllocationTable::add_device_memory(const void* begin, std::size_t bytes) {
  const std::unique_lock lock(mutex_);
  device_memory_[number(begin)] = bytes;
}

bool AllocationTable::in_device_memory(const void* address) const {
  const std::shared_lock lock(mutex_);
  const auto next = device_memory_.upper_bound(number(address));
  return next != device_memory_.begin() && number(address) - std::prev(next)->first < std::prev(next)->second;
}

bool is_mapped(const void* address) {
  const auto page = static_cast<std::uintptr_t>(detail::page_bytes());
  unsigned char resident = 0;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
  return mincore(reinterpret_cast<void*>(number(address) / page * page), 1, &resident) == 0;
}

AllocationTable::Ranges::const_iterator AllocationTable::at_or_before(const void* address) const {
  auto next = ranges_.upper_bound(number(address));
  return next == ranges_.begin() ? ranges_.end() : std::prev(next);
}

std::shared_ptr<Allocation> AllocationTable::find(const void* address) const {
  const std::shared_lock lock(mutex_);
  const auto found = at_or_before(address);
  return found != ranges_.end() && found->second->contains(address) ? found->second : nullptr;
}

std::shared_ptr<Allocation> AllocationTable::nearest(const void* address, std::size_t distance) const {
  const std::shared_lock lock(mutex_);
  std::shared_ptr<Allocation> best;
  const auto before = at_or_before(address);
  if (before != ranges_.end()) {
    const std::size_t offset = before->second->offset_of(address);
    if (offset < before->second->bytes) return before->second;
    if (offset - before->second->bytes < distance) {
      best = before->second;
      distance = offset - best->bytes;
    }
  }
  const auto after = ranges_.upper_bound(number(address));
  if (after != ranges_.end() && after->first - number(address) <= distance) best = after->second;
  return best;
}

void AllocationTable::mark_initialised(const void* begin, std::size_t bytes) const {
  if (!track_initialised_) return;
  const auto range = find(begin);
  if (range == nullptr) return;
  const std::size_t offset = range->offset_of(begin);
  range->mark_initialised(offset, std::min(bytes, range->bytes - offset));
}

void AllocationTable::copy_initialised(const void* to, const void* from, std::size_t bytes) const {
  if (!track_initialised_) return;
  const auto source = find(from);
  const auto target = find(to);
  if (target == nullptr) return;
  const std::size_t offset = target->offset_of(to);
  bytes = std::min(bytes, target->bytes - offset);
  if (source == nullptr || source->initialised == nullptr) return target->mark_initialised(offset, bytes);
  const std::size_t first = source->offset_of(from);
  bytes = std::min(bytes, source->bytes - first);
  for (std::size_t i = 0; i < bytes; ++i) {
    if (source->is_initialised(first + i, 1)) target->mark_initialised(offset + i, 1);
  }
}

void AllocationTable::mark_all_initialised() const {
  if (!track_initialised_) return;
  const std::shared_lock lock(mutex_);
  for (const auto& [begin, range] : ranges_) {
    if (!range->freed) range->mark_initialised(0, range->bytes);
  }
}

}  // namespace d2l::emulator
