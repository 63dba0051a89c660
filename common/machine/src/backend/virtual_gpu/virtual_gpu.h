// SPDX-License-Identifier: MIT
// VirtualGpu: the memory and the queues of one device, and how it executes each kind of work.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "backend/virtual_gpu/arena.h"
#include "backend/virtual_gpu/memory_pool.h"
#include "backend/virtual_gpu/work_queue.h"
#include "base/non_copyable.h"

namespace d2l::backend {

class VirtualGpu : detail::NonCopyable {
 public:
  /// All devices of one backend, by their numbers.
  using All = std::vector<std::unique_ptr<VirtualGpu>>;
  /// The device that owns an address; null for host memory.
  static VirtualGpu* owner(const All& gpus, const void* address);

  VirtualGpu(int number, std::int64_t memory, const All& gpus);

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] Arena& arena() noexcept { return arena_; }
  [[nodiscard]] const Arena& arena() const noexcept { return arena_; }
  /// The queue of the tensors' work.
  [[nodiscard]] const std::shared_ptr<WorkQueue>& queue() const noexcept { return queue_; }
  /// Another queue of this device, with a thread of its own.
  std::shared_ptr<WorkQueue> make_queue();
  [[nodiscard]] DeviceProperties properties() const;
  [[nodiscard]] MemoryInfo memory();
  /// Which thread fills memory that was never allocated before; the caller fills no more than the first GiB.
  enum class Fill : std::int8_t { queue, caller };
  /// OutOfMemoryError if the pool has no such block.
  void* allocate(std::size_t bytes, Fill fill = Fill::queue);
  void release(void* address, std::size_t bytes) noexcept;
  /// Returns the segments of the pool that no block uses, as far as they are behind all blocks.
  void empty_cache() noexcept { pool_.trim(); }
  [[nodiscard]] std::int64_t max_reserved() { return static_cast<std::int64_t>(pool_.usage().max_reserved); }
  void reset_max_reserved() noexcept { pool_.reset_max_reserved(); }
  /// The beginning and the requested bytes of the block that contains an address; nullopt if it is not allocated.
  [[nodiscard]] std::optional<std::pair<void*, std::size_t>> block_at(const void* address);
  /// The address that workers use for `bytes` bytes of memory of `side`; FatalDeviceError if the memory is not there.
  [[nodiscard]] void* translate(int side, const void* address, std::size_t bytes, const char* doing) const;

  /// The host waits for all queues.
  void wait();
  /// How often it has done so.
  [[nodiscard]] std::uint64_t waits() const noexcept { return waits_.load(); }
  /// Holds all queues, and those that are made before release_hold().
  void hold();
  void release_hold();
  /// Ends the threads of all queues and makes the device lost for this reason; the memory stays.
  void request_stop(const char* why) noexcept;
  void join();
  /// Lets the threads of all queues end once they have no work.
  void rest() noexcept;

 private:
  template <class Act>
  void for_each_queue(const Act& act) noexcept;
  /// All but the first, with more_mutex_ locked.
  template <class Act>
  void for_each_further_queue(const Act& act);
  std::shared_ptr<WorkQueue> new_queue(int number);
  void perform(FaultWork& work, WorkQueue& queue);
  void perform(WaitWork& work, WorkQueue& queue);
  void fill_fresh(void* address, std::size_t bytes) const;
  void perform(FreshMemoryWork& work, WorkQueue& queue);
  void perform(CopyWork& work, WorkQueue& queue) const;
  void run(const NamedKernel& kernel, KernelArguments& arguments) const;
  void perform(LaunchWork& work, WorkQueue& queue) const;
  void perform(GraphWork& work, WorkQueue& queue) const;
  void perform(CallWork& work, WorkQueue& queue);

  const int number_;
  const All& gpus_;
  Arena arena_;
  MemoryPool pool_;
  std::shared_ptr<WorkQueue> queue_;
  std::mutex more_mutex_;
  std::vector<std::weak_ptr<WorkQueue>> more_queues_;
  int queues_made_ = 0;
  std::atomic<std::uint64_t> waits_{0};
  std::vector<std::thread::id> holders_;
};

/// A backend whose devices are virtual GPUs in host memory; backends that have them can be cast to it.
class VirtualGpuOwner {
 public:
  virtual ~VirtualGpuOwner() = default;
  [[nodiscard]] virtual const VirtualGpu::All& virtual_gpus() const noexcept = 0;
};

}  // namespace d2l::backend
