// SPDX-License-Identifier: MIT
// The kernels of fill_gradients.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_gradients.h"

namespace d2l::backend {

void add_gradient_kernels(KernelTable& sequential, KernelTable& parallel) {
  kernels::fill_gradients<kernels::Sequential>(sequential);
  kernels::fill_gradients<kernels::Parallel>(parallel);
}

}  // namespace d2l::backend
