// SPDX-License-Identifier: MIT
// fill_binary: the kernels out = f(a, b), also of truth values.
#pragma once

#include "kernels/fill_table.h"

namespace d2l::backend::kernels {

/// The kernel out = pow(a, exponent) if the exponent needs no std::pow, else null.
template <class Policy, class T>
Kernel power_kernel(double exponent) {
  if (exponent == 0) return elementwise_kernel<Policy, PowerOf<0>, T, T, 1>;
  if (exponent == 0.5) return elementwise_kernel<Policy, functions::sqrt, T, T, 1>;
  if (exponent == 1) return elementwise_kernel<Policy, PowerOf<1>, T, T, 1>;
  if (exponent == 2) return elementwise_kernel<Policy, PowerOf<2>, T, T, 1>;
  if (exponent == 3) return elementwise_kernel<Policy, PowerOf<3>, T, T, 1>;
  if (exponent == -0.5) return elementwise_kernel<Policy, functions::rsqrt, T, T, 1>;
  if (exponent == -1) return elementwise_kernel<Policy, PowerOf<-1>, T, T, 1>;
  if (exponent == -2) return elementwise_kernel<Policy, PowerOf<-2>, T, T, 1>;
  return nullptr;
}

template <class Policy, class T>
void power(const KernelContext& context, const KernelArguments& arguments) {
  const Operand& exponent = arguments.operands[2];
  Kernel kernel = exponent.data == nullptr ? power_kernel<Policy, T>(exponent.immediate.real) : nullptr;
  if (kernel == nullptr) kernel = elementwise_kernel<Policy, functions::pow, T, T, 2>;
  kernel(context, arguments);
}

template <class Policy>
void fill_binary(KernelTable& table) {
#define D2L_ADD(name, ...) add_elementwise<Policy, Operation::name, functions::name>(table);
  D2L_BINARY_OPERATIONS(D2L_ADD)
  D2L_PAIR_OPERATIONS(D2L_ADD)
#undef D2L_ADD
  // Kernels that are there already: the sum and the product of bools are "or" and "and".
  entry(table, Operation::logical_and, kBool) = entry(table, Operation::mul, kBool);
  entry(table, Operation::logical_or, kBool) = entry(table, Operation::add, kBool);
  entry(table, Operation::pow, kFloat) = power<Policy, float>;
  entry(table, Operation::pow, kDouble) = power<Policy, double>;
}

}  // namespace d2l::backend::kernels
