// SPDX-License-Identifier: MIT
// The kernels of fill_comparison.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_comparison.h"

namespace d2l::backend {

void add_comparison_kernels(KernelTable& table) { kernels::fill_comparison<kernels::Host>(table); }

}  // namespace d2l::backend
