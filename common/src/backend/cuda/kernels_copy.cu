// SPDX-License-Identifier: MIT
// The kernels of fill_copy.h, compiled for CUDA.
#include "backend/cuda/kernel_policy.h"
#include "backend/cuda/kernel_tables.h"
#include "kernels/fill_copy.h"

namespace d2l::backend::cuda {

void add_copy_kernels(KernelTable& table) { kernels::fill_copy<OnCard>(table); }

}  // namespace d2l::backend::cuda
