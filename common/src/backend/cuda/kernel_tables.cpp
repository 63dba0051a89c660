// SPDX-License-Identifier: MIT
// The kernel table of CUDA, created on first use.
#include "backend/cuda/kernel_tables.h"

#include "kernels/kernel_families.h"

namespace d2l::backend::cuda {

struct OnCard;

const KernelTable& cuda_kernels() {
  static const KernelTable table = [] {
    KernelTable made;
    kernels::fill_all<OnCard>(made);
    add_cublas_products(made);
    add_convolutions(made);
    return made;
  }();
  return table;
}

}  // namespace d2l::backend::cuda
