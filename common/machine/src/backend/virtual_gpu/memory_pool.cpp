// SPDX-License-Identifier: MIT
// MemoryPool: best fit with coalescing.
#include "backend/virtual_gpu/memory_pool.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace d2l::backend {

MemoryPool::MemoryPool(std::size_t capacity, std::size_t gap)
    : capacity_(capacity / granularity * granularity), gap_(gap) {
  if (capacity_ > 0) insert_free(make_part(0, capacity_));
}

/// The block size for a request of `bytes`, with the gap; 0 if it overflows.
std::size_t MemoryPool::rounded(std::size_t bytes) const noexcept {
  if (bytes > SIZE_MAX - granularity - gap_) return 0;
  return (std::max<std::size_t>(bytes, 1) + gap_ + granularity - 1) / granularity * granularity;
}

std::optional<MemoryPool::Block> MemoryPool::allocate(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  const std::lock_guard lock(mutex_);
  if (size == 0 || size > capacity_ - allocated_) return std::nullopt;
  const auto offset = take(size);
  if (!offset) return std::nullopt;
  const std::size_t end = *offset + size;
  const Block block{*offset, std::max(*offset, std::min(end, high_water_)), end};
  high_water_ = std::max(high_water_, end);
  reserved_end_ = std::max(reserved_end_, end);
  max_reserved_ = std::max(max_reserved_, reserved_end_);
  requested_ += bytes;
  allocated_ += size;
  ++blocks_;
  parts_.find(*offset)->second.requested = bytes;
  return block;
}

std::optional<std::pair<std::size_t, std::size_t>> MemoryPool::block_at(std::size_t offset) {
  const std::lock_guard lock(mutex_);
  const auto next = parts_.upper_bound(offset);
  if (next == parts_.begin()) return std::nullopt;
  const auto& [begin, part] = *std::prev(next);
  if (part.requested == 0 || offset - begin >= part.requested) return std::nullopt;
  return std::pair{begin, part.requested};
}

void MemoryPool::release(std::size_t offset, std::size_t bytes) noexcept {
  const std::size_t size = rounded(bytes);
  const std::lock_guard lock(mutex_);
  requested_ -= bytes;
  allocated_ -= size;
  --blocks_;
  const auto part = parts_.find(offset);
  part->second.requested = 0;
  const std::size_t size_class = size / granularity - 1;
  if (size_class < small_classes) {
    part->second.next_small = std::exchange(small_blocks_[size_class], &*part);
  } else {
    insert_free(part);
  }
}

MemoryPool::Usage MemoryPool::usage() {
  const std::lock_guard lock(mutex_);
  coalesce_small_blocks();
  const std::size_t largest = free_by_size_.empty() ? 0 : free_by_size_.rbegin()->first;
  return {requested_, allocated_, segments_up_to(reserved_end_), segments_up_to(max_reserved_), capacity_ - allocated_,
          largest,    blocks_};
}

std::size_t MemoryPool::segments_up_to(std::size_t end) const noexcept {
  return std::min((end + segment - 1) / segment * segment, capacity_);
}

void MemoryPool::trim() noexcept {
  const std::lock_guard lock(mutex_);
  coalesce_small_blocks();
  if (parts_.empty()) return;
  const auto last = std::prev(parts_.end());  // free parts are joined, so the one before it is in use
  reserved_end_ = std::min(reserved_end_, last->second.free ? last->first : capacity_);
}

void MemoryPool::reset_max_reserved() noexcept {
  const std::lock_guard lock(mutex_);
  max_reserved_ = reserved_end_;
}

std::optional<std::size_t> MemoryPool::take(std::size_t size) {
  const std::size_t size_class = size / granularity - 1;
  if (size_class < small_classes && small_blocks_[size_class] != nullptr) {
    const auto& [offset, part] = *small_blocks_[size_class];
    small_blocks_[size_class] = part.next_small;
    return offset;
  }
  if (const auto offset = take_best_fit(size)) return offset;
  coalesce_small_blocks();
  return take_best_fit(size);
}

std::optional<std::size_t> MemoryPool::take_best_fit(std::size_t size) {
  const auto found = free_by_size_.lower_bound({size, 0});
  if (found == free_by_size_.end()) return std::nullopt;
  const auto [found_size, offset] = *found;
  const auto part = parts_.find(offset);
  const auto rest = found_size > size ? make_part(offset + size, found_size - size) : parts_.end();
  remove_free(part);
  part->second.size = size;
  if (rest != parts_.end()) insert_free(rest);
  return offset;
}

MemoryPool::Parts::iterator MemoryPool::make_part(std::size_t offset, std::size_t size) {
  Sizes made{{size, offset}};
  const auto part = parts_.try_emplace(offset).first;
  part->second.size = size;
  part->second.node = made.extract(made.begin());
  return part;
}

void MemoryPool::insert_free(Parts::iterator part) noexcept {
  const auto join = [this](Parts::iterator first, Parts::iterator second) {
    first->second.size += second->second.size;
    parts_.erase(second);
    return first;
  };
  if (part != parts_.begin() && std::prev(part)->second.free) {
    remove_free(std::prev(part));
    part = join(std::prev(part), part);
  }
  if (const auto next = std::next(part); next != parts_.end() && next->second.free) {
    remove_free(next);
    join(part, next);
  }
  part->second.free = true;
  part->second.node.value() = {part->second.size, part->first};
  free_by_size_.insert(std::move(part->second.node));
}

void MemoryPool::remove_free(Parts::iterator part) noexcept {
  part->second.node = free_by_size_.extract({part->second.size, part->first});
  part->second.free = false;
}

void MemoryPool::coalesce_small_blocks() noexcept {
  for (auto& first : small_blocks_) {
    while (first != nullptr) {
      const auto part = parts_.find(first->first);
      first = part->second.next_small;
      insert_free(part);
    }
  }
}

}  // namespace d2l::backend
