// SPDX-License-Identifier: MIT
// The kernels of fill_creation.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_creation.h"

namespace d2l::backend {

void add_creation_kernels(KernelTable& table) { kernels::fill_creation<kernels::Host>(table); }

}  // namespace d2l::backend
