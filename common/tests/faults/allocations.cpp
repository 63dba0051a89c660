// SPDX-License-Identifier: MIT
// Replaces operator new and, by the linker's option --wrap, aligned_alloc.
#include "allocations.h"

#include <cstddef>
#include <cstdlib>
#include <new>

#ifdef __clang__
#pragma clang diagnostic ignored "-Wreserved-identifier"  // the names are the linker's
#endif

namespace {

thread_local long remaining = 0;  // 0: none fails
thread_local bool failed = false;
thread_local auto mode = d2l::faults::Failing::once;

bool fails() noexcept {
  if (remaining == 0 || (remaining > 1 && --remaining > 0)) return false;
  failed = true;
  if (mode == d2l::faults::Failing::once) remaining = 0;
  return true;
}

}  // namespace

void d2l::faults::fail_allocation(long count, Failing failing) noexcept {
  failed = false;
  mode = failing;
  remaining = count + 1;
}

bool d2l::faults::end_failing() noexcept {
  remaining = 0;
  return failed;
}

void* operator new(std::size_t bytes) {
  while (true) {
    void* const memory = fails() ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
    if (memory != nullptr) return memory;
    const auto handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return operator new(bytes);
  } catch (...) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

extern "C" {
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return fails() ? nullptr : __real_aligned_alloc(alignment, bytes);
}
}
