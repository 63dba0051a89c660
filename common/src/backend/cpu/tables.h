// SPDX-License-Identifier: MIT
// The parts of the host's kernel table, one a source file so that they compile side by side.
#pragma once

#include "kernels/kernel.h"

namespace d2l::backend {

void add_copy_kernels(KernelTable& table);
void add_unary_kernels(KernelTable& table);
void add_binary_kernels(KernelTable& table);
void add_comparison_kernels(KernelTable& table);
void add_reduction_kernels(KernelTable& table);
void add_creation_kernels(KernelTable& table);
void add_indexed_kernels(KernelTable& table);
void add_softmax_kernels(KernelTable& table);
void add_scaled_kernels(KernelTable& table);
void add_gradient_kernels(KernelTable& table);
void add_product_kernels(KernelTable& table);

}  // namespace d2l::backend
