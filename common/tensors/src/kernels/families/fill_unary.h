// SPDX-License-Identifier: MIT
// fill_unary: the kernels out = f(a).
#pragma once

#include "kernels/fill_table.h"

namespace d2l::backend::kernels {

template <class Policy>
void fill_unary(KernelTable& table) {
#define D2L_ADD(name, ...) add_elementwise<Policy, Operation::name, functions::name>(table);
  D2L_UNARY_OPERATIONS(D2L_ADD)
#undef D2L_ADD
}

}  // namespace d2l::backend::kernels
