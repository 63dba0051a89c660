// SPDX-License-Identifier: MIT
// The kernel table of the host, created on first use.
#include "backend/cpu/kernel_tables.h"

#include "backend/cpu/host_memory.h"
#include "kernels/kernel_families.h"

namespace d2l::backend {

namespace kernels {
struct Host;
}  // namespace kernels

// A scratch block stores its size before the memory that the kernel receives.
constexpr std::size_t scratch_header = 64;

void* take_scratch(const KernelContext&, std::size_t bytes) {
  auto* block = static_cast<char*>(host_memory::allocate(bytes + scratch_header));
  *reinterpret_cast<std::size_t*>(block) = bytes + scratch_header;
  return block + scratch_header;
}

void release_scratch(const KernelContext&, void* memory) {
  char* block = static_cast<char*>(memory) - scratch_header;
  host_memory::release(block, *reinterpret_cast<std::size_t*>(block));
}

const KernelTable& host_kernels() {
  static const KernelTable table = [] {
    KernelTable made;
    kernels::fill_all<kernels::Host>(made);
    add_blas_products(made);
    add_blas_convolutions(made);
    return made;
  }();
  return table;
}

}  // namespace d2l::backend
