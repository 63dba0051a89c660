// SPDX-License-Identifier: MIT
// The kernel table of the host.
#pragma once

#include "kernels/kernel.h"

namespace d2l::backend {

/// The kernels of the CPU and of virtual GPUs in host memory: work is divided by thrust::omp among context.threads
/// threads, and runs on the calling thread, by thrust::cpp, when that is 1.
const KernelTable& host_kernels();
/// Adds the matrix products of floating-point numbers, by BLAS.
void add_blas_products(KernelTable& table);

}  // namespace d2l::backend
