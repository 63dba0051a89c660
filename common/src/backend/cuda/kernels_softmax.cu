// SPDX-License-Identifier: MIT
// The kernels of fill_softmax.h, compiled for CUDA.
#include "backend/cuda/kernel_policy.h"
#include "backend/cuda/kernel_tables.h"
#include "kernels/fill_softmax.h"

namespace d2l::backend::cuda {

void add_softmax_kernels(KernelTable& table) { kernels::fill_softmax<OnCard>(table); }

}  // namespace d2l::backend::cuda
