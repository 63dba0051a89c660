// SPDX-License-Identifier: MIT
// The kernels of fill_softmax.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_softmax.h"

namespace d2l::backend {

void add_softmax_kernels(KernelTable& table) { kernels::fill_softmax<kernels::Host>(table); }

}  // namespace d2l::backend
