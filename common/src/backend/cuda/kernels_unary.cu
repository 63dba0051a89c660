// SPDX-License-Identifier: MIT
// The kernels of fill_unary.h, compiled for CUDA.
#include "backend/cuda/kernel_policy.h"
#include "backend/cuda/kernel_tables.h"
#include "kernels/fill_unary.h"

namespace d2l::backend::cuda {

void add_unary_kernels(KernelTable& table) { kernels::fill_unary<OnCard>(table); }

}  // namespace d2l::backend::cuda
