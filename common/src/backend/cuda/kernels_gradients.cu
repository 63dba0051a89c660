// SPDX-License-Identifier: MIT
// The kernels of fill_gradients.h, compiled for CUDA.
#include "backend/cuda/kernel_policy.h"
#include "backend/cuda/kernel_tables.h"
#include "kernels/fill_gradients.h"

namespace d2l::backend::cuda {

void add_gradient_kernels(KernelTable& table) { kernels::fill_gradients<OnCard>(table); }

}  // namespace d2l::backend::cuda
