// SPDX-License-Identifier: MIT
// fill_gradients: the elementwise kernels that gradients are made of.
#pragma once

#include "kernels/elementwise.h"
#include "kernels/gradient_functions.h"

namespace d2l::backend::kernels {

template <class Policy, class F, int inputs>
void add_gradient(KernelTable& table, Operation operation) {
  entry(table, operation, kFloat) = elementwise_kernel<Policy, F, float, float, inputs>;
  entry(table, operation, kDouble) = elementwise_kernel<Policy, F, double, double, inputs>;
}

template <class Policy>
void fill_gradients(KernelTable& table) {
  add_gradient<Policy, Sign, 1>(table, Operation::sign);
  add_gradient<Policy, Minimum, 2>(table, Operation::minimum);
  add_gradient<Policy, SquaredDifference, 2>(table, Operation::squared_difference);
  add_gradient<Policy, DivOrZero, 2>(table, Operation::div_or_zero);
  add_gradient<Policy, PowerLog, 2>(table, Operation::power_log);
  add_gradient<Policy, ReluBackward, 2>(table, Operation::relu_backward);
  add_gradient<Policy, SigmoidBackward, 2>(table, Operation::sigmoid_backward);
  add_gradient<Policy, TanhBackward, 2>(table, Operation::tanh_backward);
}

}  // namespace d2l::backend::kernels
