// SPDX-License-Identifier: MIT
// The kernels of fill_comparison.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_comparison.h"

namespace d2l::backend {

void add_comparison_kernels(KernelTable& sequential, KernelTable& parallel) {
  kernels::fill_comparison<kernels::Sequential>(sequential);
  kernels::fill_comparison<kernels::Parallel>(parallel);
}

}  // namespace d2l::backend
