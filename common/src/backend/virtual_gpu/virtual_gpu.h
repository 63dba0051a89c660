// SPDX-License-Identifier: MIT
// VirtualGpu: one device: its memory, its queue, and how its work is done.
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

/// Finds the device that an address belongs to; null for the host's.
class Neighbours {
 public:
  virtual ~Neighbours() = default;
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
  /// Where the worker finds `bytes` bytes at an address that is said to be of `side`; FatalDeviceError when it is not.
  [[nodiscard]] void* translate(int side, const void* address, std::size_t bytes, const char* doing) const;

  const int number_;
  const Neighbours& neighbours_;
  Arena arena_;
  MemoryPool pool_;
  std::shared_ptr<WorkQueue> queue_;
};

}  // namespace d2l::backend
