// SPDX-License-Identifier: MIT
// The host's kernel table, put together from its parts.
#include "backend/cpu/tables.h"

namespace d2l::backend {
namespace {

KernelTable make_table() {
  KernelTable table;
  add_copy_kernels(table);
  add_unary_kernels(table);
  add_binary_kernels(table);
  add_comparison_kernels(table);
  add_reduction_kernels(table);
  add_creation_kernels(table);
  add_indexed_kernels(table);
  add_softmax_kernels(table);
  add_scaled_kernels(table);
  add_gradient_kernels(table);
  add_product_kernels(table);
  return table;
}

}  // namespace

const KernelTable& host_kernels() {
  static const KernelTable table = make_table();
  return table;
}

}  // namespace d2l::backend
