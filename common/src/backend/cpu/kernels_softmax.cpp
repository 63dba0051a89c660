// SPDX-License-Identifier: MIT
// The kernels of fill_softmax.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_softmax.h"

namespace d2l::backend {

void add_softmax_kernels(KernelTable& sequential, KernelTable& parallel) {
  kernels::fill_softmax<kernels::Sequential>(sequential);
  kernels::fill_softmax<kernels::Parallel>(parallel);
}

}  // namespace d2l::backend
