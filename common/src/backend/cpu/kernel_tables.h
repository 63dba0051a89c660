// SPDX-License-Identifier: MIT
// The kernel table of the host.
#pragma once

#include "kernels/kernel.h"

namespace d2l::backend {

/// The kernels of the CPU and of virtual GPUs in host memory; see Host for the threads that run them.
const KernelTable& host_kernels();
/// Adds the floating-point matrix products, which BLAS computes.
void add_blas_products(KernelTable& table);
/// Adds the convolutions, of matrix products by BLAS.
void add_blas_convolutions(KernelTable& table);

/// Scratch memory of kernels on the host, from the caching allocator.
void* take_scratch(const KernelContext& context, std::size_t bytes);
void release_scratch(const KernelContext& context, void* memory);
/// The context of a kernel that may use this many threads of the host.
inline KernelContext host_context(int threads) { return {nullptr, nullptr, threads, take_scratch, release_scratch}; }

}  // namespace d2l::backend
