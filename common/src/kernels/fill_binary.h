// SPDX-License-Identifier: MIT
// fill_binary: the kernels out = f(a, b).
#pragma once

#include "kernels/elementwise.h"
#include "kernels/functions.h"

namespace d2l::backend::kernels {

/// The kernel out = f(a) for an exponent that has a short way, else null.
template <class Policy, class T>
Kernel power_kernel(double exponent) {
  if (exponent == 0) return elementwise_kernel<Policy, PowerOf<0>, T, T, 1>;
  if (exponent == 0.5) return elementwise_kernel<Policy, Sqrt, T, T, 1>;
  if (exponent == 1) return elementwise_kernel<Policy, PowerOf<1>, T, T, 1>;
  if (exponent == 2) return elementwise_kernel<Policy, PowerOf<2>, T, T, 1>;
  if (exponent == 3) return elementwise_kernel<Policy, PowerOf<3>, T, T, 1>;
  if (exponent == -0.5) return elementwise_kernel<Policy, InverseSqrt, T, T, 1>;
  if (exponent == -1) return elementwise_kernel<Policy, PowerOf<-1>, T, T, 1>;
  if (exponent == -2) return elementwise_kernel<Policy, PowerOf<-2>, T, T, 1>;
  return nullptr;
}

template <class Policy, class T>
void power(const KernelContext& context, const KernelArguments& arguments) {
  const Operand& exponent = arguments.operands[2];
  Kernel kernel = exponent.data == nullptr ? power_kernel<Policy, T>(exponent.immediate.real) : nullptr;
  if (kernel == nullptr) kernel = elementwise_kernel<Policy, Pow, T, T, 2>;
  kernel(context, arguments);
}

template <class Policy, class F, ScalarType... types>
void add_binary(KernelTable& table, Operation operation) {
  ((entry(table, operation, types) = elementwise_kernel<Policy, F, Element<types>, Element<types>, 2>), ...);
}

template <class Policy>
void fill_binary(KernelTable& table) {
  add_binary<Policy, Add, kBool, kByte, kInt, kLong, kFloat, kDouble>(table, Operation::add);
  add_binary<Policy, Sub, kByte, kInt, kLong, kFloat, kDouble>(table, Operation::sub);
  add_binary<Policy, Mul, kBool, kByte, kInt, kLong, kFloat, kDouble>(table, Operation::mul);
  add_binary<Policy, Div, kFloat, kDouble>(table, Operation::div);
  add_binary<Policy, Pow, kByte, kInt, kLong>(table, Operation::pow);
  entry(table, Operation::pow, kFloat) = power<Policy, float>;
  entry(table, Operation::pow, kDouble) = power<Policy, double>;
}

}  // namespace d2l::backend::kernels
