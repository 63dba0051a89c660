// SPDX-License-Identifier: MIT
// The kernels of fill_unary.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_unary.h"

namespace d2l::backend {

void add_unary_kernels(KernelTable& sequential, KernelTable& parallel) {
  kernels::fill_unary<kernels::Sequential>(sequential);
  kernels::fill_unary<kernels::Parallel>(parallel);
}

}  // namespace d2l::backend
