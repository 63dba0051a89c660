// SPDX-License-Identifier: MIT
// The kernels of fill_indexed.h, compiled for CUDA.
#include "backend/cuda/kernel_policy.h"
#include "backend/cuda/kernel_tables.h"
#include "kernels/fill_indexed.h"

namespace d2l::backend::cuda {

void add_indexed_kernels(KernelTable& table) { kernels::fill_indexed<OnCard>(table); }

}  // namespace d2l::backend::cuda
