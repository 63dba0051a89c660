// SPDX-License-Identifier: MIT
// MemoryPool: best fit with coalescing.
#include "backend/virtual_gpu/memory_pool.h"

#include <algorithm>
#include <iterator>

namespace d2l::backend {
namespace {

/// The block size for a request of `bytes`; 0 if it overflows.
std::size_t rounded(std::size_t bytes) {
  constexpr auto granularity = MemoryPool::granularity;
  if (bytes == 0) return granularity;
  if (bytes > SIZE_MAX - granularity) return 0;
  return (bytes + granularity - 1) / granularity * granularity;
}

}  // namespace

MemoryPool::MemoryPool(std::size_t capacity) : capacity_(capacity / granularity * granularity) {
  if (capacity_ > 0) insert_free(0, capacity_);
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
  requested_ += bytes;
  allocated_ += size;
  ++blocks_;
  return block;
}

void MemoryPool::release(std::size_t offset, std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  const std::lock_guard lock(mutex_);
  requested_ -= bytes;
  allocated_ -= size;
  --blocks_;
  const std::size_t size_class = size / granularity - 1;
  if (size_class < small_classes) {
    small_blocks_[size_class].push_back(offset);
  } else {
    insert_free(offset, size);
  }
}

MemoryPool::Usage MemoryPool::usage() {
  const std::lock_guard lock(mutex_);
  coalesce_small_blocks();
  const std::size_t segments = (high_water_ + segment - 1) / segment * segment;
  const std::size_t largest = free_by_size_.empty() ? 0 : free_by_size_.rbegin()->first;
  return {requested_, allocated_, std::min(segments, capacity_), capacity_ - allocated_, largest, blocks_};
}

std::optional<std::size_t> MemoryPool::take(std::size_t size) {
  const std::size_t size_class = size / granularity - 1;
  if (size_class < small_classes && !small_blocks_[size_class].empty()) {
    const std::size_t offset = small_blocks_[size_class].back();
    small_blocks_[size_class].pop_back();
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
  erase_free(free_by_offset_.find(offset));
  if (found_size > size) insert_free(offset + size, found_size - size);
  return offset;
}

void MemoryPool::insert_free(std::size_t offset, std::size_t size) {
  const auto next = free_by_offset_.lower_bound(offset);
  if (next != free_by_offset_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      offset = before->first;
      size += before->second;
      erase_free(before);
    }
  }
  if (next != free_by_offset_.end() && offset + size == next->first) {
    size += next->second;
    erase_free(next);
  }
  free_by_offset_.emplace(offset, size);
  free_by_size_.emplace(size, offset);
}

void MemoryPool::erase_free(std::map<std::size_t, std::size_t>::iterator block) {
  free_by_size_.erase({block->second, block->first});
  free_by_offset_.erase(block);
}

void MemoryPool::coalesce_small_blocks() {
  for (std::size_t size_class = 0; size_class < small_classes; ++size_class) {
    for (const std::size_t offset : small_blocks_[size_class]) insert_free(offset, (size_class + 1) * granularity);
    small_blocks_[size_class].clear();
  }
}

}  // namespace d2l::backend
