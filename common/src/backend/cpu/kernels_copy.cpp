// SPDX-License-Identifier: MIT
// The kernels of fill_copy.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_copy.h"

namespace d2l::backend {

void add_copy_kernels(KernelTable& table) { kernels::fill_copy<kernels::Host>(table); }

}  // namespace d2l::backend
