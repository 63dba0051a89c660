// SPDX-License-Identifier: MIT
// The kernel table of CUDA.
#pragma once

#include "kernels/kernel.h"

namespace d2l::backend::cuda {

const KernelTable& cuda_kernels();

}  // namespace d2l::backend::cuda
