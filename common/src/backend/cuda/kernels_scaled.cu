// SPDX-License-Identifier: MIT
// The kernels of fill_scaled.h, compiled for CUDA.
#include "backend/cuda/kernel_policy.h"
#include "backend/cuda/kernel_tables.h"
#include "kernels/fill_scaled.h"

namespace d2l::backend::cuda {

void add_scaled_kernels(KernelTable& table) { kernels::fill_scaled<OnCard>(table); }

}  // namespace d2l::backend::cuda
