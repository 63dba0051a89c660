// SPDX-License-Identifier: MIT
// The kernels of fill_scaled.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_scaled.h"

namespace d2l::backend {

void add_scaled_kernels(KernelTable& table) { kernels::fill_scaled<kernels::Host>(table); }

}  // namespace d2l::backend
