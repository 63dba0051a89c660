// SPDX-License-Identifier: MIT
// The kernels of fill_unary.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_unary.h"

namespace d2l::backend {

void add_unary_kernels(KernelTable& table) { kernels::fill_unary<kernels::Host>(table); }

}  // namespace d2l::backend
