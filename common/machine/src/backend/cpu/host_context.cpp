// SPDX-License-Identifier: MIT
#include "backend/cpu/host_context.h"

#include <cstddef>

#include "backend/cpu/host_memory.h"

namespace d2l::backend {
namespace {

// A block stores its size before the memory that the kernel receives.
constexpr std::size_t header = 64;

void* take_scratch(const KernelContext&, std::size_t bytes) {
  auto* block = static_cast<char*>(host_memory::allocate(bytes + header));
  *reinterpret_cast<std::size_t*>(block) = bytes + header;
  return block + header;
}

void release_scratch(const KernelContext&, void* memory) {
  char* block = static_cast<char*>(memory) - header;
  host_memory::release(block, *reinterpret_cast<std::size_t*>(block));
}

}  // namespace

KernelContext host_context(int threads) {
  return {.threads = threads, .scratch = take_scratch, .release_scratch = release_scratch};
}

}  // namespace d2l::backend
