// SPDX-License-Identifier: MIT
// The kernel table of the host, created on first use.
#include "kernels/cpu/blas_kernels.h"
#include "kernels/cpu/sixteen_bits.h"
#include "kernels/kernel_families.h"
#include "kernels/kernel_table.h"

namespace d2l::backend {

namespace kernels {
struct Host;
}  // namespace kernels

const KernelTable& host_kernels() {
  static const KernelTable table = [] {
    KernelTable made;
    kernels::fill_all<kernels::Host>(made);
    add_blas_products(made);
    add_blas_convolutions(made);
    add_sixteen_bits(made);
    return made;
  }();
  return table;
}

}  // namespace d2l::backend
