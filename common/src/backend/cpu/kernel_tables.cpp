// SPDX-License-Identifier: MIT
// The host's two kernel tables, put together from their parts.
#include "backend/cpu/tables.h"

namespace d2l::backend {
namespace {

struct Tables {
  KernelTable sequential;
  KernelTable parallel;

  Tables() {
    add_copy_kernels(sequential, parallel);
    add_unary_kernels(sequential, parallel);
    add_binary_kernels(sequential, parallel);
    add_comparison_kernels(sequential, parallel);
    add_reduction_kernels(sequential, parallel);
    add_creation_kernels(sequential, parallel);
    add_indexed_kernels(sequential, parallel);
    add_softmax_kernels(sequential, parallel);
    add_scaled_kernels(sequential, parallel);
    add_gradient_kernels(sequential, parallel);
    add_product_kernels(sequential, parallel);
  }
};

const Tables& tables() {
  static const Tables made;
  return made;
}

}  // namespace

const KernelTable& sequential_kernels() { return tables().sequential; }
const KernelTable& parallel_kernels() { return tables().parallel; }

}  // namespace d2l::backend
