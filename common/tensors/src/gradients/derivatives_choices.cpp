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

/// The gradients of x within the bounds, and of the bounds that are tensors.
void clamped(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const bool has_min = operation.saved_tensors[1].tensor.defined();
  const bool has_max = operation.saved_tensors[2].tensor.defined();
  const Tensor min = has_min ? operation.saved(1) : Tensor();
  const Tensor max = has_max ? operation.saved(2) : Tensor();
  if (operation.wants(0)) {
    Tensor inside = has_min ? x.ge(min) : x.le(max);
    if (has_min && has_max) inside = inside.logical_and(x.le(max));
    results[0] = where(inside, g, 0);
  }
  if (has_min && operation.wants(1)) {
    const Tensor below = x.lt(min);
    results[1] = where(has_max ? below.logical_and(min.lt(max)) : below, g, 0);
  }
  if (has_max && operation.wants(2)) {
    const Tensor above = x.gt(max);
    results[2] = where(has_min ? above.logical_or(max.lt(min)) : above, g, 0);
  }
}

/// The gradient of x within bounds that are numbers.
Tensor within(const RecordedOperation& operation, const Tensor& g) {
  const Tensor& x = operation.saved(0);
  return where(x.ge(operation.number).logical_and(x.le(operation.second_number)), g, 0);
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

void ClampBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  clamped(operation, g, results);
}
void ClampMinBackward1(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  clamped(operation, g, results);
}
void ClampMaxBackward1(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  clamped(operation, g, results);
}
D2L_DERIVATIVE(ClampBackward1, within(operation, g))
D2L_DERIVATIVE(ClampMinBackward0, within(operation, g))
D2L_DERIVATIVE(ClampMaxBackward0, within(operation, g))

void MaximumBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const Tensor& y = operation.saved(1);
  if (operation.wants(0)) results[0] = of_larger(g, x, y);
  if (operation.wants(1)) results[1] = of_larger(g, y, x);
}

void MinimumBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const Tensor& y = operation.saved(1);
  if (operation.wants(0)) results[0] = of_larger(g, y, x);
  if (operation.wants(1)) results[1] = of_larger(g, x, y);
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
