// SPDX-License-Identifier: MIT
#include "fibers/fibers.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <new>

namespace d2l::emulator {
namespace {

constexpr std::uint64_t canary = 0x5eed'0f5a'fe57'ac4b;
// A guard page splits a mapping; the kernel allows about 65,000 mappings to a process.
constexpr int max_guard_pages = 16384;
std::atomic<int> guard_pages{0};

}  // namespace

std::size_t FiberPool::stride() noexcept {
  static const std::size_t bytes = stack_bytes + static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

FiberPool::~FiberPool() {
  for (const auto& fiber : fibers_) release_context(fiber->context);
  for (std::byte* slab : slabs_) munmap(slab, slab_bytes());
  guard_pages -= static_cast<int>(guarded_);
}

void FiberPool::add_slab() {
  void* const slab =
      mmap(nullptr, slab_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (slab == MAP_FAILED) throw std::bad_alloc();
  madvise(slab, slab_bytes(), MADV_NOHUGEPAGE);  // a stack uses one or two small pages
  slabs_.push_back(static_cast<std::byte*>(slab));
  unused_ = stacks_in_slab;
}

Fiber* FiberPool::take(void (*entry)()) {
  if (Fiber* const idle = take_idle(); idle != nullptr) return idle;
  if (unused_ == 0) add_slab();
  std::byte* const begin = slabs_.back() + (stacks_in_slab - unused_) * stride();
  --unused_;
  auto fiber = std::make_unique<Fiber>();
  fiber->low = begin + guard_bytes;
  fiber->colour = 256 * (fibers_.size() % 16);
  if (guard_pages.fetch_add(1) < max_guard_pages && mprotect(begin, guard_bytes, PROT_NONE) == 0) {
    ++guarded_;
    fiber->guarded = true;
  } else {
    --guard_pages;
  }
  fibers_.push_back(std::move(fiber));
  Fiber* const taken = fibers_.back().get();
  std::memcpy(taken->low, &canary, sizeof canary);
  prepare_context(taken->context, taken->low, stack_bytes - guard_bytes, taken->colour, entry);
  return taken;
}

void FiberPool::reset(Fiber* fiber, void (*entry)()) {
  fiber->thread = nullptr;
  std::memcpy(fiber->low, &canary, sizeof canary);
  prepare_context(fiber->context, fiber->low, stack_bytes - guard_bytes, fiber->colour, entry);
  give(fiber);
}

const Fiber* FiberPool::owner(const void* address) const noexcept {
  for (std::size_t i = 0; i < slabs_.size(); ++i) {
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(slabs_[i]);
    const std::size_t index = i * stacks_in_slab + offset / stride();
    if (offset < slab_bytes() && index < fibers_.size()) return fibers_[index].get();
  }
  return nullptr;
}

bool FiberPool::is_guard(const void* address) const noexcept {
  const Fiber* const fiber = owner(address);
  return fiber != nullptr && static_cast<const std::byte*>(address) < fiber->low;
}

bool FiberPool::has_written_low(const Fiber& fiber) noexcept {
  return std::memcmp(fiber.low, &canary, sizeof canary) != 0;
}

}  // namespace d2l::emulator
