// SPDX-License-Identifier: MIT
// The kernels of CUDA that use cuBLAS.
#pragma once

#include "kernels/kernel_table.h"

namespace d2l::backend::cuda {

/// Adds the floating-point matrix products, which cuBLAS computes.
void add_cublas_products(KernelTable& table);
/// Adds the convolutions, of matrix products.
void add_convolutions(KernelTable& table);

}  // namespace d2l::backend::cuda
