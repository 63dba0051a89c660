// SPDX-License-Identifier: MIT
// The kernels of fill_creation.h, compiled for CUDA.
#include "backend/cuda/kernel_policy.h"
#include "backend/cuda/kernel_tables.h"
#include "kernels/fill_creation.h"

namespace d2l::backend::cuda {

void add_creation_kernels(KernelTable& table) { kernels::fill_creation<OnCard>(table); }

}  // namespace d2l::backend::cuda
