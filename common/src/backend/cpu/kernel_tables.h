// SPDX-License-Identifier: MIT
// The kernel table of the host.
#pragma once

#include "kernels/kernel.h"

namespace d2l::backend {

/// The kernels of the CPU and of virtual GPUs in host memory; see Host for the threads that run them.
const KernelTable& host_kernels();
/// Adds the floating-point matrix products, which BLAS computes.
void add_blas_products(KernelTable& table);

}  // namespace d2l::backend
