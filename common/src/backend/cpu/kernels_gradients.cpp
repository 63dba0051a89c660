// SPDX-License-Identifier: MIT
// The kernels of fill_gradients.h, compiled for the host.
#include "backend/cpu/tables.h"
#include "kernels/fill_gradients.h"

namespace d2l::backend {

void add_gradient_kernels(KernelTable& table) { kernels::fill_gradients<kernels::Host>(table); }

}  // namespace d2l::backend
