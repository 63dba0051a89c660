// SPDX-License-Identifier: MIT
// fill_comparison: the kernels out = a < b and their like, whose output is bool.
#pragma once

#include "kernels/elementwise.h"
#include "kernels/functions.h"

namespace d2l::backend::kernels {

template <class Policy, class F, ScalarType... types>
void add_comparison(KernelTable& table, Operation operation) {
  ((entry(table, operation, types) = elementwise_kernel<Policy, Comparison<F>, Boolean, Element<types>, 2>), ...);
}

template <class Policy>
void fill_comparison(KernelTable& table) {
  add_comparison<Policy, Equal, kBool, kByte, kInt, kLong, kFloat, kDouble>(table, Operation::eq);
  add_comparison<Policy, NotEqual, kBool, kByte, kInt, kLong, kFloat, kDouble>(table, Operation::ne);
  add_comparison<Policy, Less, kBool, kByte, kInt, kLong, kFloat, kDouble>(table, Operation::lt);
  add_comparison<Policy, LessEqual, kBool, kByte, kInt, kLong, kFloat, kDouble>(table, Operation::le);
  add_comparison<Policy, Greater, kBool, kByte, kInt, kLong, kFloat, kDouble>(table, Operation::gt);
  add_comparison<Policy, GreaterEqual, kBool, kByte, kInt, kLong, kFloat, kDouble>(table, Operation::ge);
}

}  // namespace d2l::backend::kernels
