// SPDX-License-Identifier: MIT
// The kernels of fill_binary.h, compiled for CUDA.
#include "backend/cuda/kernel_policy.h"
#include "backend/cuda/kernel_tables.h"
#include "kernels/fill_binary.h"

namespace d2l::backend::cuda {

void add_binary_kernels(KernelTable& table) { kernels::fill_binary<OnCard>(table); }

}  // namespace d2l::backend::cuda
