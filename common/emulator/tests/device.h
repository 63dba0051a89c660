// SPDX-License-Identifier: MIT
// Plain host memory as the device's, and a launch on it.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>

#include "execution/run_kernel.h"

namespace d2l::emulator::testing {

/// Buffers with names, in a table of their own.
class Device {
 public:
  /// A buffer of `count` elements; initialised to zero unless `written` is false.
  template <class T>
  T* buffer(const std::string& array, std::size_t count, bool written = true) {
    std::byte* const begin = memory_.get() + used_;
    used_ += (count * sizeof(T) + distance) / distance * distance;
    std::memset(begin, 0, count * sizeof(T));
    table.add(begin, count * sizeof(T), MemoryKind::device, 0, array)->shape = {sizeof(T), 1, {}};
    if (written) table.mark_initialised(begin, count * sizeof(T));
    return reinterpret_cast<T*>(begin);
  }

  Device() { table.add_device_memory(memory_.get(), bytes); }

  template <class Kernel, class... Arguments>
  KernelOutcome run(dim3 grid, dim3 block, Kernel* kernel, Arguments... arguments) {
    KernelLaunch launch;
    launch.name = name;
    launch.grid = grid;
    launch.block = block;
    launch.seed = seed;
    launch.checked = checked;
    launch.counted = counted;
    launch.cooperative = cooperative;
    launch.cores = cores;
    launch.dynamic_shared = dynamic_shared;
    launch.body = [=] { kernel(arguments...); };
    return run_kernel(launch, table);
  }

  AllocationTable table{true};
  std::string name = "kernel";
  std::uint64_t seed = 0;
  bool checked = true;
  bool counted = false;
  bool cooperative = false;
  unsigned cores = 1;
  std::size_t dynamic_shared = 0;

 private:
  // Far from the heap, so that a host address is not near an array.
  struct Unmap {
    void operator()(std::byte* begin) const noexcept { munmap(begin, bytes); }
  };
  static constexpr std::size_t bytes = std::size_t{64} << 20;
  static constexpr std::size_t distance = 65536;
  std::unique_ptr<std::byte, Unmap> memory_{static_cast<std::byte*>(
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))};
  std::size_t used_ = bytes / 2;
};

}  // namespace d2l::emulator::testing
