// SPDX-License-Identifier: MIT
// Derivatives of choices between elements, and of the activations. x is the first input, g the gradient of the result.
#include "autograd/recorded_operation.h"
#include "d2l/ops.h"
#include "ops/elementwise_launch.h"

namespace d2l::detail::derivatives {

namespace {

/// f(g, x, …) of one shape, for an activation's derivative.
Tensor slope(Operation derivative, const Tensor& g, const Tensor& x) {
  return elementwise(derivative, Argument(*g.impl()), Argument(*x.impl()), x.dtype(), x.dtype());
}
Tensor slope(Operation derivative, const Tensor& x, std::initializer_list<Argument> inputs) {
  Tensor result = make_tensor(x.impl()->sizes, x.dtype(), x.device(), false, info(derivative).name);
  choice_into(derivative, *result.impl(), inputs, x.dtype());
  return result;
}

/// The gradient of the larger of x and y by x, where g is the gradient of the larger.
Tensor of_larger(const Tensor& g, const Tensor& x, const Tensor& y) {
  Tensor result = make_tensor(g.impl()->sizes, g.dtype(), g.device(), false, "maximum");
  choice_into(Operation::extreme_backward, *result.impl(), {*g.impl(), *x.impl(), *y.impl()}, g.dtype());
  return result;
}

/// g where `whole`, half of it where `half`, else 0.
Tensor shared(const Tensor& g, const Tensor& whole, const Tensor& half) {
  return where(whole, g, where(half, g / 2, 0));
}

/// The gradients of x and of two bounds that are tensors. An element that equals one of two different bounds shares its
/// gradient with it; all are that of the upper bound where it is the smaller one.
void clamped(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const Tensor& min = operation.saved(1);
  const Tensor& max = operation.saved(2);
  const Tensor below = x.lt(min);
  const Tensor above = x.gt(max);
  const Tensor exchanged = max.lt(min);
  const Tensor apart = min.lt(max);
  const Tensor in_order = min.le(max);
  const Tensor at_min = x.eq(min).logical_and(apart);
  const Tensor at_max = x.eq(max).logical_and(apart);
  if (operation.wants(0)) {
    const Tensor outside = below.logical_or(above).logical_or(exchanged);
    const Tensor shares = at_min.logical_or(at_max);
    results[0] = shared(g, outside.logical_or(shares).logical_not(), shares);
  }
  if (operation.wants(1)) results[1] = shared(g, below.logical_and(in_order), at_min);
  if (operation.wants(2)) results[2] = shared(g, above.logical_and(in_order).logical_or(exchanged), at_max);
}

/// The gradient of x between bounds that are numbers; as in PyTorch, 0 at a bound.
Tensor within(const RecordedOperation& operation, const Tensor& g) {
  const Tensor& x = operation.saved(0);
  const bool has_min = operation.integers[0] != 0;
  const bool has_max = operation.integers[1] != 0;
  if (!has_min) return where(x.lt(operation.second_number), g, 0);
  const Tensor above = x.gt(operation.number);
  return where(has_max ? above.logical_and(x.lt(operation.second_number)) : above, g, 0);
}

/// The gradients of two tensors by the larger of each two elements.
void larger(const Tensor& g, const RecordedOperation& operation, std::size_t second, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const Tensor& y = operation.saved(second);
  if (operation.wants(0)) results[0] = of_larger(g, x, y);
  if (operation.wants(second)) results[second] = of_larger(g, y, x);
}
/// The same by the smaller.
void smaller(const Tensor& g, const RecordedOperation& operation, std::size_t second, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const Tensor& y = operation.saved(second);
  if (operation.wants(0)) results[0] = of_larger(g, y, x);
  if (operation.wants(second)) results[second] = of_larger(g, x, y);
}

}  // namespace

void WhereBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& condition = operation.saved(0);
  if (operation.wants(0)) results[0] = where(condition, g, 0);
  if (operation.wants(1)) results[1] = where(condition, 0, g);
}

D2L_DERIVATIVE(MaskedFillBackward0, g.masked_fill(operation.saved(0), 0))

void MaskedFillBackward1(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& mask = operation.saved(0);
  if (operation.wants(0)) results[0] = g.masked_fill(mask, 0);
  if (operation.wants(1)) results[1] = where(mask, g, 0).sum();
}

void ClampMinBackward1(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  larger(g, operation, 1, results);
}
void ClampMaxBackward1(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  smaller(g, operation, 2, results);
}
void ClampBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const bool has_min = operation.saved_tensors[1].tensor.defined();
  const bool has_max = operation.saved_tensors[2].tensor.defined();
  if (!has_max) return larger(g, operation, 1, results);
  if (!has_min) return smaller(g, operation, 2, results);
  clamped(operation, g, results);
}
D2L_DERIVATIVE(ClampBackward1, within(operation, g))
D2L_DERIVATIVE(ClampMinBackward0, within(operation, g))
D2L_DERIVATIVE(ClampMaxBackward0, within(operation, g))

void MaximumBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  larger(g, operation, 1, results);
}

void MinimumBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  smaller(g, operation, 1, results);
}

void GeluBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto derivative = operation.number.toBool() ? Operation::gelu_tanh_backward : Operation::gelu_backward;
  results[0] = slope(derivative, g, operation.saved(0));
}

D2L_DERIVATIVE(SiluBackward0, slope(Operation::silu_backward, g, operation.saved(0)))

void LeakyReluBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  results[0] = slope(Operation::leaky_relu_backward, x, {*g.impl(), *x.impl(), operation.number});
}

void EluBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  results[0] = slope(Operation::elu_backward, x, {*g.impl(), *x.impl(), operation.number});
}

void SoftplusBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  results[0] =
      slope(Operation::softplus_backward, x, {*g.impl(), *x.impl(), operation.number, operation.second_number});
}

}  // namespace d2l::detail::derivatives
