// SPDX-License-Identifier: MIT
// fill_internal: the elementwise kernels that only the library itself calls.
#pragma once

#include "kernels/fill_table.h"

namespace d2l::backend::kernels {

template <class Policy>
void fill_internal(KernelTable& table) {
#define D2L_ADD(name, ...) add_elementwise<Policy, Operation::name, functions::name>(table);
  D2L_INTERNAL_OPERATIONS(D2L_ADD)
#undef D2L_ADD
}

}  // namespace d2l::backend::kernels
