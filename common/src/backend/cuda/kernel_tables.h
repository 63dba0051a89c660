// SPDX-License-Identifier: MIT
// The kernel table of CUDA.
#pragma once

#include "kernels/kernel.h"

namespace d2l::backend::cuda {

const KernelTable& cuda_kernels();
/// Adds the floating-point matrix products, which cuBLAS computes.
void add_cublas_products(KernelTable& table);
/// Adds the convolutions, of matrix products.
void add_convolutions(KernelTable& table);

}  // namespace d2l::backend::cuda
