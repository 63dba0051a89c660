// SPDX-License-Identifier: MIT
#include "runtime/kernel_heap.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#include "execution/current.h"
#include "execution/worker.h"
#include "order/host_watch.h"
#include "runtime/limits.h"
#include "runtime/memory.h"

namespace d2l::emulator {
namespace {

struct KernelHeap {
  std::mutex mutex;
  std::unordered_map<const void*, std::size_t> blocks;
  std::atomic<std::size_t> count{0};
  std::size_t used = 0;
};
KernelHeap& heap() {
  static auto* const made = new KernelHeap;
  return *made;
}

/// True while this thread notes or forgets a block: what that allocates is no memory of the kernel, and it accesses
/// none.
thread_local bool busy = false;

struct Busy {
  Busy() noexcept { busy = true; }
  ~Busy() {
    busy = false;
    current_state.instrumented = instrumented;
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  bool instrumented = std::exchange(current_state.instrumented, false);
};

}  // namespace

bool note_kernel_block(const void* memory, std::size_t bytes, const char* call) {
  if (busy) return true;
  const Busy noting;
  {
    // Not while the table of allocations is locked: that table deletes, which locks this heap.
    const std::lock_guard lock(heap().mutex);
    if (bytes > device_limit(cudaLimitMallocHeapSize) - heap().used) return false;
    heap().blocks.emplace(memory, bytes);
    heap().used += bytes;
    ++heap().count;
  }
  allocations().add(memory, bytes, MemoryKind::device, current_state.worker->launch->device,
                    fmt::format("memory from {} in a kernel", call));
  return true;
}

bool forget_kernel_block(const void* memory) noexcept {
  if (memory == nullptr || busy || heap().count == 0) return false;
  const Busy forgetting;
  {
    const std::lock_guard lock(heap().mutex);
    const auto found = heap().blocks.find(memory);
    if (found == heap().blocks.end()) return false;
    heap().used -= found->second;
    --heap().count;
    heap().blocks.erase(found);
  }
  allocations().remove(memory);  // the host may use the address next
  return true;
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

extern "C" {  // NOLINTBEGIN: d2l_emulator/c_library.h has the names
void* d2l_emulator_malloc(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr || !in_kernel() || note_kernel_block(memory, bytes, "malloc()")) return memory;
  std::free(memory);
  return nullptr;
}
void d2l_emulator_free(void* memory) {
  if (host_is_watched.load(std::memory_order_relaxed)) watch_host_free(memory, __builtin_return_address(0));
  forget_kernel_block(memory);
  std::free(memory);
}
}  // NOLINTEND
