// SPDX-License-Identifier: MIT
// The kernels of fill_copy.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_copy.h"

namespace d2l::backend {

void add_copy_kernels(KernelTable& sequential, KernelTable& parallel) {
  kernels::fill_copy<kernels::Sequential>(sequential);
  kernels::fill_copy<kernels::Parallel>(parallel);
}

}  // namespace d2l::backend
