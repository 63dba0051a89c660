// SPDX-License-Identifier: MIT
// new and delete of the process: memory from new in a kernel is memory of the device, which the checks know. In a file
// of its own, so that a program may have an operator new of its own.
#include <cstdlib>
#include <new>

#include "execution/current.h"
#include "execution/run_kernel.h"
#include "order/host_watch.h"
#include "runtime/kernel_heap.h"

void* operator new(std::size_t bytes) {
  void* memory = nullptr;
  while ((memory = std::malloc(bytes == 0 ? 1 : bytes)) == nullptr) {
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
  if (d2l::emulator::in_kernel() && !d2l::emulator::current_state.own_code)
    d2l::emulator::note_kernel_block(memory, bytes, "new");
  return memory;
}

static void release(void* memory, const void* caller) noexcept {
  if (d2l::emulator::host_is_watched.load(std::memory_order_relaxed)) d2l::emulator::watch_host_free(memory, caller);
  d2l::emulator::forget_kernel_block(memory);
  std::free(memory);
}
void operator delete(void* memory) noexcept { release(memory, __builtin_return_address(0)); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { release(memory, __builtin_return_address(0)); }
