// SPDX-License-Identifier: MIT
// The kernels of fill_comparison.h, compiled for CUDA.
#include "backend/cuda/kernel_policy.h"
#include "backend/cuda/kernel_tables.h"
#include "kernels/fill_comparison.h"

namespace d2l::backend::cuda {

void add_comparison_kernels(KernelTable& table) { kernels::fill_comparison<OnCard>(table); }

}  // namespace d2l::backend::cuda
