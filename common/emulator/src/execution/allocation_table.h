// SPDX-License-Identifier: MIT
// AllocationTable: which addresses a kernel may use. The runtime fills it; the checks read it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>

#include "d2l_emulator/language.h"

namespace d2l::emulator {

/// Bytes that are zero and take no memory before they are used, as the table of a large allocation.
struct FreeBytes {
  void operator()(std::atomic<std::uint8_t>* bytes) const noexcept { std::free(bytes); }
};
using ZeroBytes = std::unique_ptr<std::atomic<std::uint8_t>[], FreeBytes>;
ZeroBytes zero_bytes(std::size_t count);

enum class MemoryKind { device, managed, pinned, symbol };

/// One range of memory that kernels may use.
struct Allocation {
  std::uint64_t id = 0;  ///< unique in the process
  const std::byte* begin = nullptr;
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  int device = 0;
  ArrayShape shape;       ///< of a variable
  bool constant = false;  ///< a variable that has __constant__
  bool managed = false;   ///< a variable that has __managed__
  bool of_tensor = false;
  std::string name;  ///< for example "allocation #7 (4096 bytes, cudaMalloc at main.cu:12)"
  std::atomic<bool> freed{false};
  std::atomic<bool> free_submitted{false};  ///< it will be freed in the order of a stream
  std::atomic<bool> of_graph{false};        ///< nodes of graphs allocate and free it, many times
  /// One bit per byte, set when the byte is written; null if every byte counts as written.
  ZeroBytes initialised;

  [[nodiscard]] std::size_t offset_of(const void* address) const noexcept {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(begin);
  }
  [[nodiscard]] bool contains(const void* address) const noexcept { return offset_of(address) < bytes; }
  [[nodiscard]] bool is_initialised(std::size_t offset, std::size_t count) const noexcept;
  void mark_initialised(std::size_t offset, std::size_t count) const noexcept;
};

/// Ordered by address, safe for several threads. A freed range stays, marked, until its addresses are used again.
class AllocationTable {
 public:
  /// With `track_initialised`, reads of bytes that were never written can be reported.
  explicit AllocationTable(bool track_initialised = false) : track_initialised_(track_initialised) {}

  /// Adds a range; `initialised`: its bytes count as written (symbols, host memory).
  std::shared_ptr<Allocation> add(const void* begin, std::size_t bytes, MemoryKind kind, int device, std::string name,
                                  bool initialised = false);
  /// Puts a range of add() in the place of those that have its addresses now.
  void put(const std::shared_ptr<Allocation>& range);
  /// Marks the range that begins here as freed.
  void free(const void* begin);
  /// Marks memory of a graph as allocated, with bytes that are not written, or as freed.
  void set_live(const std::shared_ptr<Allocation>& range, bool live);
  /// Removes the range that begins here, without a trace.
  void remove(const void* begin);

  /// The addresses from which allocations are taken: there is nothing else.
  void add_device_memory(const void* begin, std::size_t bytes);
  [[nodiscard]] bool in_device_memory(const void* address) const;

  /// The range, live or freed, that contains the address; null if there is none.
  [[nodiscard]] std::shared_ptr<Allocation> find(const void* address) const;
  /// The range that is nearest to the address, at most `distance` bytes away; null if there is none.
  [[nodiscard]] std::shared_ptr<Allocation> nearest(const void* address, std::size_t distance) const;

  /// Calls the function for each range that is not freed.
  template <class Function>
  void for_each_live(const Function& function) const {
    const std::shared_lock lock(mutex_);
    for (const auto& [begin, range] : ranges_) {
      if (!range->freed) function(*range);
    }
  }

  /// A copy to the range or a memset wrote these bytes. Unknown addresses are ignored.
  void mark_initialised(const void* begin, std::size_t bytes) const;
  /// A copy within device memory: bytes that are not initialised stay so.
  void copy_initialised(const void* to, const void* from, std::size_t bytes) const;
  /// All live ranges count as written: a kernel ran without checks.
  void mark_all_initialised() const;

  [[nodiscard]] bool tracks_initialised() const noexcept { return track_initialised_; }
  /// Changes with every change of the table, so that a cached range can be trusted while it is the same.
  [[nodiscard]] std::uint64_t version() const noexcept { return version_.load(std::memory_order_acquire); }

 private:
  using Ranges = std::map<std::uintptr_t, std::shared_ptr<Allocation>>;
  [[nodiscard]] Ranges::const_iterator at_or_before(const void* address) const;

  bool track_initialised_;
  mutable std::shared_mutex mutex_;
  Ranges ranges_;
  std::map<std::uintptr_t, std::size_t> device_memory_;  ///< bytes by address
  std::size_t freed_ = 0;
  std::atomic<std::uint64_t> version_{1};
};

/// True if the process can use the address, or has reserved it.
bool is_mapped(const void* address);

}  // namespace d2l::emulator
