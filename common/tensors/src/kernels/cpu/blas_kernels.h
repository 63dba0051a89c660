// SPDX-License-Identifier: MIT
// The kernels of the host that use BLAS.
#pragma once

#include "kernels/kernel_table.h"

namespace d2l::backend {

/// Adds the floating-point matrix products, which BLAS computes.
void add_blas_products(KernelTable& table);
/// Adds the convolutions, of matrix products by BLAS.
void add_blas_convolutions(KernelTable& table);

}  // namespace d2l::backend
