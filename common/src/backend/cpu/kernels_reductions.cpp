// SPDX-License-Identifier: MIT
// The kernels of fill_reductions.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_reductions.h"

namespace d2l::backend {

void add_reduction_kernels(KernelTable& sequential, KernelTable& parallel) {
  kernels::fill_reductions<kernels::Sequential>(sequential);
  kernels::fill_reductions<kernels::Parallel>(parallel);
}

}  // namespace d2l::backend
