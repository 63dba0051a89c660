// SPDX-License-Identifier: MIT
// The kernels of fill_integer_product.h, compiled for CUDA.
#include "backend/cuda/kernel_policy.h"
#include "backend/cuda/kernel_tables.h"
#include "kernels/fill_integer_product.h"

namespace d2l::backend::cuda {

void add_integer_product_kernels(KernelTable& table) { kernels::fill_integer_product<OnCard>(table); }

}  // namespace d2l::backend::cuda
