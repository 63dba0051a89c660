// SPDX-License-Identifier: MIT
#include "calls/explanations.h"

#include <fmt/format.h>

#include <cstdint>

#include "d2l/occupancy.h"
#include "execution/worker.h"  // max_threads

namespace d2l::emulator {

std::string why_refused(const Configuration& configuration, std::size_t max_shared) {
  const dim3& grid = configuration.grid;
  const dim3& block = configuration.block;
  const std::size_t threads = std::size_t{block.x} * block.y * block.z;
  if (threads == 0) return "The block has 0 threads";
  if (grid.x == 0 || grid.y == 0 || grid.z == 0)
    return "The grid has 0 blocks: launch nothing if there is nothing to do";
  if (threads > max_threads)
    return fmt::format("A block has at most {} threads, and this one {}", max_threads, threads);
  if (block.z > 64) return fmt::format("A block has at most 64 threads in z, and this one {}", block.z);
  if (grid.y > 65535 || grid.z > 65535) {
    return fmt::format("A grid has at most 65535 blocks in y and z, and this one {} and {}", grid.y, grid.z);
  }
  if (configuration.shared > max_shared) {
    return fmt::format(
        "{} bytes of dynamic shared memory are more than the limit of {}: raise it, up to 227 KiB, with "
        "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
        configuration.shared, max_shared);
  }
  return "";
}

std::string why_not_cooperative(const Configuration& configuration) {
  constexpr std::uint64_t multiprocessors = 160;  // the largest card of November 2026 has 148
  const dim3& grid = configuration.grid;
  const dim3& block = configuration.block;
  const Occupancy found = occupancy(multiprocessor_limits("9.0"), block.x * block.y * block.z, 0, configuration.shared);
  const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  if (blocks <= found.blocks * multiprocessors) return "";
  return fmt::format(
      "The blocks of a cooperative launch must all run at once. A multiprocessor holds {} of this size, so a card with "
      "132 holds {}, and the grid has {}: let a block do the work of several",
      found.blocks, found.blocks * 132, blocks);
}

std::string why_not_freed(const void* address, const Allocation* found, const char* call) {
  if (found == nullptr) return fmt::format("No allocation of the runtime contains {}", address);
  if (found->freed.load() || found->free_submitted.load()) return fmt::format("It is freed already: {}", found->name);
  if (found->begin != address) {
    return fmt::format("The address is {} bytes behind the begin of {}: free that one", found->offset_of(address),
                       found->name);
  }
  switch (found->kind) {
    case MemoryKind::pinned:
      return fmt::format("{} does not free {}: use cudaFreeHost, or cudaHostUnregister for registered memory", call,
                         found->name);
    case MemoryKind::symbol:
      return fmt::format("{} does not free the variable {}", call, found->name);
    case MemoryKind::device:
    case MemoryKind::managed:
      break;
  }
  return fmt::format("{} does not free {}: use cudaFree", call, found->name);
}

std::string why_outside(const Allocation& memory, std::size_t offset, std::size_t bytes) {
  return fmt::format("{} bytes from byte {} on do not fit {}, which has {}", bytes, offset, memory.name, memory.bytes);
}

std::string why_not_recorded(int event, int stream) {
  return fmt::format(
      "The event belongs to device {}, and the stream to device {}: create the event after cudaSetDevice({}), or "
      "record it in a stream of device {}",
      event, stream, stream, event);
}

std::string why_no_time(int start, int stop) {
  return fmt::format(
      "The first event belongs to device {}, and the second to device {}: there is no time between them. Create and "
      "record both after cudaSetDevice({})",
      start, stop, start);
}

std::string how_to_reach(int memory, int device) {
  return fmt::format(
      "Call cudaSetDevice({}) before the launch, so that the kernel runs where its memory is, or "
      "cudaDeviceEnablePeerAccess({}, 0) while device {} is the current one",
      memory, memory, device);
}

}  // namespace d2l::emulator
