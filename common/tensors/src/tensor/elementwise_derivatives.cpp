// SPDX-License-Identifier: MIT
// Derivatives of elementwise operations. x is the first input, y the second, r the result, g its
// gradient.
#include <cmath>

#include "autograd/recorded_operation.h"
#include "core/messages.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/elementwise_launch.h"

namespace d2l::detail::derivatives {

namespace {

constexpr double pi = 3.14159265358979323846;

/// f(a, b), for the internal operations of two floating-point tensors.
Tensor combined(Operation operation, const Tensor& a, const Tensor& b) {
  const auto type = promoteTypes(a.dtype(), b.dtype());
  return elementwise(operation, Argument(*a.impl()), Argument(*b.impl()), type, type);
}

/// The gradient of the larger of x and y by x, where g is the gradient of the larger.
Tensor of_larger(const Tensor& g, const Tensor& x, const Tensor& y) {
  Tensor result = make_tensor(g.impl()->sizes, g.dtype(), g.device(), false, "maximum");
  choice_into(Operation::extreme_backward, *result.impl(), {*g.impl(), *x.impl(), *y.impl()}, g.dtype());
  return result;
}

}  // namespace

void AddBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (operation.wants(0)) results[0] = g;
  if (results.size() > 1 && operation.wants(1)) results[1] = is_one(operation.number) ? g : g * operation.number;
}

void SubBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (operation.wants(0)) results[0] = g;
  if (results.size() > 1 && operation.wants(1))
    results[1] = is_one(operation.number) ? -g : g * -operation.number.toDouble();
}

D2L_DERIVATIVE(RsubBackward1, -g)
D2L_DERIVATIVE(NegBackward0, -g)

void MulBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (results.size() == 1) {
    results[0] = g * operation.number;
    return;
  }
  if (operation.wants(0)) results[0] = g * operation.saved(1);
  if (operation.wants(1)) results[1] = g * operation.saved(0);
}

void DivBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (results.size() == 1) {
    results[0] = g / operation.number;
    return;
  }
  const Tensor& y = operation.saved(1);
  if (operation.wants(0)) results[0] = g / y;
  if (operation.wants(1)) results[1] = -g * (operation.saved(0) / y / y);
}

/// Of reciprocal(), which keeps its result, or of a number divided by x, which keeps x.
void ReciprocalBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (operation.saved_tensors[saved_result].tensor.defined()) {
    const Tensor& r = operation.saved(saved_result);
    results[0] = -g * (r * r);
    return;
  }
  const Tensor& x = operation.saved(0);
  results[0] = -g / (x * x);
}

void PowBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const double exponent = operation.number.toDouble();
  const Tensor& x = operation.saved(0);
  results[0] = exponent == 0 ? zeros_like(x) : g * (x.pow(exponent - 1) * exponent);
}

void PowBackward1(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const bool number_base = !operation.saved_tensors[0].tensor.defined();
  const Tensor& y = operation.saved(1);
  const Tensor& r = operation.saved(saved_result);
  if (operation.wants(0)) {
    const Tensor& x = operation.saved(0);
    // y × x^(y - 1), and 0 where y is 0, for any x.
    results[0] = g * combined(Operation::relu_backward, y * x.pow(y - 1), y.ne(0).to(y.dtype()));
  }
  if (operation.wants(1)) {
    const Tensor base = number_base ? full({}, operation.number, r.options()) : operation.saved(0);
    results[1] = g * combined(Operation::power_log, r, base);
  }
}

D2L_DERIVATIVE(RemainderBackward0, g)  // of a number

void RemainderBackward1(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (operation.wants(0)) results[0] = g;
  if (!operation.wants(1)) return;
  const Tensor& y = operation.saved(1);
  const bool of_number = !operation.saved_tensors[0].tensor.defined();
  const Tensor x = of_number ? full({}, operation.number, y.options()) : operation.saved(0);
  results[1] = -g * x.floor_divide(y);
}

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

void NotImplemented(const RecordedOperation& /*operation*/, const Tensor& /*g*/, Gradients& /*results*/) {
  fail<ValueError>("backward", "derivative for aten::floor_divide is not implemented", {},
                   "use div() and floor(), whose gradient is 0, or compute it of x.detach()");
}

D2L_DERIVATIVE(AbsBackward0, g* operation.saved(0).sign())
D2L_DERIVATIVE(SignBackward0, zeros_like(g))
D2L_DERIVATIVE(FloorBackward0, zeros_like(g))
D2L_DERIVATIVE(CeilBackward0, zeros_like(g))
D2L_DERIVATIVE(RoundBackward0, zeros_like(g))
D2L_DERIVATIVE(RoundBackward1, zeros_like(g))
D2L_DERIVATIVE(SinBackward0, g* operation.saved(0).cos())
D2L_DERIVATIVE(CosBackward0, g * -operation.saved(0).sin())
D2L_DERIVATIVE(ErfBackward0, operation.saved(0).square().neg_().exp_().mul_(2 / std::sqrt(pi)).mul_(g))
D2L_DERIVATIVE(Log1PBackward0, g / (operation.saved(0) + 1))
D2L_DERIVATIVE(Expm1Backward0, g*(operation.saved(saved_result) + 1))
D2L_DERIVATIVE(RsqrtBackward0, g* operation.saved(saved_result).pow(3) * -0.5)

D2L_DERIVATIVE(SqrtBackward0, g / (operation.saved(saved_result) * 2))
D2L_DERIVATIVE(ExpBackward0, operation.saved(saved_result) * g)
D2L_DERIVATIVE(LogBackward0, g / operation.saved(0))
D2L_DERIVATIVE(ReluBackward0, combined(Operation::relu_backward, g, operation.saved(saved_result)))
D2L_DERIVATIVE(SigmoidBackward0, combined(Operation::sigmoid_backward, g, operation.saved(saved_result)))
D2L_DERIVATIVE(TanhBackward0, combined(Operation::tanh_backward, g, operation.saved(saved_result)))
D2L_DERIVATIVE(FillBackward2, zeros_like(g))
D2L_DERIVATIVE(ZeroBackward0, zeros_like(g))

}  // namespace d2l::detail::derivatives
