// SPDX-License-Identifier: MIT
// fill_unary: the kernels out = f(a).
#pragma once

#include "kernels/elementwise.h"
#include "kernels/functions.h"

namespace d2l::backend::kernels {

template <class Policy, class F, ScalarType... types>
void add_unary(KernelTable& table, Operation operation) {
  ((entry(table, operation, types) = elementwise_kernel<Policy, F, Element<types>, Element<types>, 1>), ...);
}

template <class Policy>
void fill_unary(KernelTable& table) {
  add_unary<Policy, Neg, kByte, kInt, kLong, kFloat, kDouble>(table, Operation::neg);
  add_unary<Policy, Abs, kByte, kInt, kLong, kFloat, kDouble>(table, Operation::abs);
  add_unary<Policy, Relu, kByte, kInt, kLong, kFloat, kDouble>(table, Operation::relu);
  add_unary<Policy, Sqrt, kFloat, kDouble>(table, Operation::sqrt);
  add_unary<Policy, Exp, kFloat, kDouble>(table, Operation::exp);
  add_unary<Policy, Log, kFloat, kDouble>(table, Operation::log);
  add_unary<Policy, Sigmoid, kFloat, kDouble>(table, Operation::sigmoid);
  add_unary<Policy, Tanh, kFloat, kDouble>(table, Operation::tanh);
}

}  // namespace d2l::backend::kernels
