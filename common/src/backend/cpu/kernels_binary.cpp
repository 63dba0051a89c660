// SPDX-License-Identifier: MIT
// The kernels of fill_binary.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_binary.h"

namespace d2l::backend {

void add_binary_kernels(KernelTable& table) { kernels::fill_binary<kernels::Host>(table); }

}  // namespace d2l::backend
