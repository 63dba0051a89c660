// SPDX-License-Identifier: MIT
// The kernels of fill_creation.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_creation.h"

namespace d2l::backend {

void add_creation_kernels(KernelTable& sequential, KernelTable& parallel) {
  kernels::fill_creation<kernels::Sequential>(sequential);
  kernels::fill_creation<kernels::Parallel>(parallel);
}

}  // namespace d2l::backend
