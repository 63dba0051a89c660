// SPDX-License-Identifier: MIT
// The kernel table of CUDA, created on first use.
#include "kernels/cuda/cublas_kernels.h"
#include "kernels/kernel_families.h"
#include "kernels/kernel_table.h"
#include "kernels/widened/widened_kernels.h"

namespace d2l::backend::cuda {

struct OnCard;

namespace {

/// Converts whole operands on the card.
struct Widen {
  static const KernelTable& table() { return cuda_kernels(); }
  static constexpr auto run = kernels::run_widened;
};

}  // namespace

}  // namespace d2l::backend::cuda

namespace d2l::backend {

const KernelTable& cuda_kernels() {
  static const KernelTable table = [] {
    KernelTable made;
    kernels::fill_all<cuda::OnCard>(made);
    cuda::add_cublas_products(made);
    cuda::add_convolutions(made);
    kernels::add_widened<cuda::Widen>(made);
    return made;
  }();
  return table;
}

}  // namespace d2l::backend
