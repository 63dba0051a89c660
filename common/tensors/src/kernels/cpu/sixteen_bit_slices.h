// SPDX-License-Identifier: MIT
// Kernels of Half and BFloat16 along lines, by those of float32 on slices that stay in the cache.
#pragma once

#include "kernels/kernel_table.h"

namespace d2l::backend::kernels {

/// Runs a kernel whose operands all have sizes[0] parts of one size, a few parts at a time; a reduction of one long
/// line also piece by piece. Returns false, without any work, where neither is possible.
bool run_slices(const KernelContext& context, const KernelArguments& arguments, const KernelTable& table,
                Operation operation);

}  // namespace d2l::backend::kernels
