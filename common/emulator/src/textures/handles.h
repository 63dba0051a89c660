// SPDX-License-Identifier: MIT
// Handles: the numbers that texture objects and surface objects are for a program. A handle that is no longer valid
// stays so, because it contains how often its place in the table was used.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/errors.h"

namespace d2l::emulator {

template <class Object>
class Handles {
 public:
  /// `mark`: a bit that handles of this table have, and others do not.
  explicit Handles(std::uint64_t mark) : mark_(mark) {}

  std::uint64_t add(Object object) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) add_chunk();
    const std::uint64_t number = free_.back();
    free_.pop_back();
    Place& place = *place_of(number);
    place.object = std::move(object);
    const std::uint64_t use = place.use.load(std::memory_order_relaxed) + 1;
    place.use.store(use, std::memory_order_release);
    return mark_ | use % uses << 32U | (number + 1);
  }

  /// Null unless the object is in use. It stays until remove(), which the caller of find() must exclude.
  [[nodiscard]] const Object* find(std::uint64_t handle) const noexcept {
    const Place* const place = place_of((handle & 0xFFFFFFFFU) - 1);
    if (place == nullptr || (handle & mark_) != mark_) return nullptr;
    const std::uint64_t use = place->use.load(std::memory_order_acquire);
    return use % 2 == 1 && handle == (mark_ | use % uses << 32U | (handle & 0xFFFFFFFFU)) ? &place->object : nullptr;
  }

  /// False if there is no such object.
  bool remove(std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    if (find(handle) == nullptr) return false;
    const std::uint64_t number = (handle & 0xFFFFFFFFU) - 1;
    place_of(number)->use.fetch_add(1, std::memory_order_acq_rel);
    free_.push_back(number);
    return true;
  }

 private:
  static constexpr std::uint64_t chunk_size = 1024;
  static constexpr std::uint64_t max_chunks = 1024;
  static constexpr std::uint64_t uses = std::uint64_t{1} << 30U;
  struct Place {
    std::atomic<std::uint64_t> use{0};  ///< odd while the object is in use
    Object object;
  };
  using Chunk = std::array<Place, chunk_size>;

  void add_chunk() {
    require(chunks_ < max_chunks, cudaErrorMemoryAllocation);
    owners_.push_back(std::make_unique<Chunk>());
    table_[chunks_].store(owners_.back().get(), std::memory_order_release);
    for (std::uint64_t i = chunk_size; i-- > 0;) free_.push_back(chunks_ * chunk_size + i);
    ++chunks_;
  }
  [[nodiscard]] Place* place_of(std::uint64_t number) const noexcept {
    if (number >= chunk_size * max_chunks) return nullptr;
    Chunk* const chunk = table_[number / chunk_size].load(std::memory_order_acquire);
    return chunk == nullptr ? nullptr : &(*chunk)[number % chunk_size];
  }

  std::uint64_t mark_;
  std::mutex mutex_;
  std::uint64_t chunks_ = 0;
  std::array<std::atomic<Chunk*>, max_chunks> table_{};
  std::vector<std::unique_ptr<Chunk>> owners_;
  std::vector<std::uint64_t> free_;
};

}  // namespace d2l::emulator
