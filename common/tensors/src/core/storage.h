// SPDX-License-Identifier: MIT
// Storage: a block of memory of one device, and the pending copies that use it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/backend.h"
#include "base/non_copyable.h"

namespace d2l::detail {

class GraphMemory;

/// A block of memory of one device, released when its last tensor is destroyed. Pending copies matter for host memory
/// only.
class Storage : NonCopyable {
 public:
  Storage(Device device, std::size_t bytes, bool pinned);
  ~Storage();
  /// The same memory with a false device; see testing::relabel().
  Storage(std::shared_ptr<Storage> memory, Device label);
  /// Memory of the caller, which `deleter`, unless it is empty, releases in the end.
  Storage(Device device, void* memory, std::size_t bytes, std::function<void(void*)> deleter);

  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] bool pinned() const noexcept { return pinned_; }
  /// The graph memory of which it is a block; null for most.
  [[nodiscard]] const GraphMemory* graph_memory() const noexcept { return graph_memory_.get(); }
  /// The number of in-place writes.
  [[nodiscard]] std::uint32_t version() const noexcept { return version_.load(std::memory_order_relaxed); }
  void count_write() noexcept { version_.fetch_add(1, std::memory_order_relaxed); }
  /// The name of the last recorded operation that wrote the memory; null if none did.
  [[nodiscard]] const char* recorded_writer() const noexcept { return writer_.load(std::memory_order_relaxed); }
  void note_recorded_writer(const char* name) noexcept { writer_.store(name, std::memory_order_relaxed); }

  /// Releases the memory, once pending copies are done. Its tensors must not be used until take_memory(): for sharded
  /// parameters, which records refer to while they have no memory.
  void drop_memory();
  /// Allocates memory again after drop_memory(), with unspecified elements.
  void take_memory();

  /// Whether a pending copy reads or writes this host memory.
  enum class Use : std::int8_t { read, write };
  struct Pending {
    Device device;
    std::shared_ptr<backend::Mark> mark;
    Use use;
  };
  /// The pending copies, with the memory once it has no tensor any more.
  struct PendingCopies {
    std::vector<Pending> copies;
    void* memory = nullptr;
    std::size_t bytes = 0;
    bool pinned = false;
  };
  /// Registers a copy in the queue of `device` that uses this host memory until `mark`.
  void set_pending(Device device, std::shared_ptr<backend::Mark> mark, Use use);
  /// The host waits for all pending copies, so that it may write; each wait is a synchronisation.
  void wait_until_ready() {
    if (has_pending_.load(std::memory_order_acquire)) finish_pending(Use::read);
  }
  /// The host waits for all pending copies that write, so that it may read; each wait is a synchronisation.
  void wait_until_readable() {
    if (has_pending_.load(std::memory_order_acquire)) finish_pending(Use::write);
  }
  /// Makes the queue of `device` wait for pending copies of other devices that conflict with a copy of this use.
  void order_after_pending(Device device, Use use);

 private:
  void finish_pending(Use least);
  void release_memory() noexcept;
  void give_back() noexcept;

  Device device_;
  bool pinned_ = false;
  std::atomic<bool> has_pending_{false};
  std::atomic<std::uint32_t> version_{0};
  std::atomic<const char*> writer_{nullptr};
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::mutex pending_mutex_;
  std::shared_ptr<GraphMemory> graph_memory_;  ///< if a graph owns the memory
  std::list<PendingCopies> pending_;           ///< one element, or none; ~Storage moves it without an allocation
  std::shared_ptr<Storage> memory_;
  bool belongs_to_caller_ = false;
  std::function<void(void*)> deleter_;
};

}  // namespace d2l::detail
