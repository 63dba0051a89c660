// SPDX-License-Identifier: MIT
// fill_comparison: the kernels of the comparisons, such as out = a < b, whose output is bool.
#pragma once

#include "kernels/fill_table.h"

namespace d2l::backend::kernels {

template <class Policy>
void fill_comparison(KernelTable& table) {
#define D2L_ADD(name, ...) add_elementwise<Policy, Operation::name, functions::name>(table);
  D2L_COMPARISONS(D2L_ADD)
#undef D2L_ADD
  entry(table, Operation::logical_xor, kBool) = entry(table, Operation::ne, kBool);
}

}  // namespace d2l::backend::kernels
