// SPDX-License-Identifier: MIT
// The kernels of fill_reductions.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_reductions.h"

namespace d2l::backend {

void add_reduction_kernels(KernelTable& table) { kernels::fill_reductions<kernels::Host>(table); }

}  // namespace d2l::backend
