// SPDX-License-Identifier: MIT
// VirtualGpu: the memory and the queue of one device, and how it executes each kind of work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "backend/backend.h"
#include "backend/virtual_gpu/arena.h"
#include "backend/virtual_gpu/memory_pool.h"
#include "backend/virtual_gpu/work_queue.h"

namespace d2l::backend {

/// The devices of one backend, as each of them sees the others.
class Neighbours {
 public:
  virtual ~Neighbours() = default;
  /// The arena that contains an address; null for host memory.
  [[nodiscard]] virtual const Arena* arena_of(const void* address) const = 0;
  [[nodiscard]] virtual const Arena& arena(int device) const = 0;
  /// "the host" or "cuda:1".
  [[nodiscard]] virtual std::string owner_name(const void* address) const = 0;
};

class VirtualGpu {
 public:
  VirtualGpu(int number, std::int64_t memory, const Neighbours& neighbours);

  [[nodiscard]] const Arena& arena() const noexcept { return arena_; }
  [[nodiscard]] const std::shared_ptr<WorkQueue>& queue() const noexcept { return queue_; }
  [[nodiscard]] DeviceProperties properties() const;
  [[nodiscard]] MemoryInfo memory();
  void* allocate(std::size_t bytes);
  void release(void* address, std::size_t bytes);

 private:
  void perform(Work& work);
  void perform(FaultWork& work);
  void perform(WaitWork& work);
  void perform(FreshMemoryWork& work);
  void perform(CopyWork& work);
  void perform(LaunchWork& work);
  /// The address that the worker uses for `bytes` bytes of memory of `side`; FatalDeviceError if the memory is not
  /// there.
  [[nodiscard]] void* translate(int side, const void* address, std::size_t bytes, const char* doing) const;

  const int number_;
  const Neighbours& neighbours_;
  Arena arena_;
  MemoryPool pool_;
  std::shared_ptr<WorkQueue> queue_;
};

}  // namespace d2l::backend
