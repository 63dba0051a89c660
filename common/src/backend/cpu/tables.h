// SPDX-License-Identifier: MIT
// The parts of the host's two kernel tables, one a source file so that they compile side by side.
#pragma once

#include "kernels/kernel.h"

namespace d2l::backend {

void add_copy_kernels(KernelTable& sequential, KernelTable& parallel);
void add_unary_kernels(KernelTable& sequential, KernelTable& parallel);
void add_binary_kernels(KernelTable& sequential, KernelTable& parallel);
void add_comparison_kernels(KernelTable& sequential, KernelTable& parallel);
void add_reduction_kernels(KernelTable& sequential, KernelTable& parallel);
void add_creation_kernels(KernelTable& sequential, KernelTable& parallel);
void add_indexed_kernels(KernelTable& sequential, KernelTable& parallel);
void add_softmax_kernels(KernelTable& sequential, KernelTable& parallel);
void add_scaled_kernels(KernelTable& sequential, KernelTable& parallel);
void add_gradient_kernels(KernelTable& sequential, KernelTable& parallel);
void add_product_kernels(KernelTable& sequential, KernelTable& parallel);

}  // namespace d2l::backend
