// SPDX-License-Identifier: MIT
// The kernels of fill_binary.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_binary.h"

namespace d2l::backend {

void add_binary_kernels(KernelTable& sequential, KernelTable& parallel) {
  kernels::fill_binary<kernels::Sequential>(sequential);
  kernels::fill_binary<kernels::Parallel>(parallel);
}

}  // namespace d2l::backend
