// SPDX-License-Identifier: MIT
// The kernel table of CUDA, created on first use.
#include "kernels/cuda/cublas_kernels.h"
#include "kernels/kernel_families.h"
#include "kernels/kernel_table.h"

namespace d2l::backend::cuda {

struct OnCard;

}  // namespace d2l::backend::cuda

namespace d2l::backend {

const KernelTable& cuda_kernels() {
  static const KernelTable table = [] {
    KernelTable made;
    kernels::fill_all<cuda::OnCard>(made);
    cuda::add_cublas_products(made);
    cuda::add_convolutions(made);
    return made;
  }();
  return table;
}

}  // namespace d2l::backend
