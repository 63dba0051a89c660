// SPDX-License-Identifier: MIT
// The table of kernels for CUDA, made on first use.
#include "backend/cuda/kernel_tables.h"

#include "backend/cuda/cuda_backend.h"

namespace d2l::backend::cuda {

const KernelTable& cuda_kernels() {
  static const KernelTable table = [] {
    KernelTable made;
    add_copy_kernels(made);
    add_unary_kernels(made);
    add_binary_kernels(made);
    add_comparison_kernels(made);
    add_reduction_kernels(made);
    add_creation_kernels(made);
    add_indexed_kernels(made);
    add_softmax_kernels(made);
    add_scaled_kernels(made);
    add_gradient_kernels(made);
    add_integer_product_kernels(made);
    add_cublas_kernels(made);
    return made;
  }();
  return table;
}

}  // namespace d2l::backend::cuda
