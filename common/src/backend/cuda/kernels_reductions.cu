// SPDX-License-Identifier: MIT
// The kernels of fill_reductions.h, compiled for CUDA.
#include "backend/cuda/kernel_policy.h"
#include "backend/cuda/kernel_tables.h"
#include "kernels/fill_reductions.h"

namespace d2l::backend::cuda {

void add_reduction_kernels(KernelTable& table) { kernels::fill_reductions<OnCard>(table); }

}  // namespace d2l::backend::cuda
