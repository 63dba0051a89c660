// SPDX-License-Identifier: MIT
// The kernels of Half and BFloat16 on the host: those of float32, on blocks that stay in the cache.
#pragma once

#include "kernels/kernel_table.h"

namespace d2l::backend {

/// Adds them; the table has all other kernels.
void add_sixteen_bits(KernelTable& table);

}  // namespace d2l::backend
