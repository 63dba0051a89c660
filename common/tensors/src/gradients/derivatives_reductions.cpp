// SPDX-License-Identifier: MIT
// Derivatives of reductions. x is the input, r the result, g its gradient.
#include <cmath>

#include "autograd/recorded_operation.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "gradients/reduced.h"
#include "ops/gather_scatter.h"

namespace d2l::detail::derivatives {

namespace {

Tensor over_input(const RecordedOperation& operation, const Tensor& g) {
  return with_reduced_dimensions(operation, g).expand(operation.inputs[0].sizes.ref());
}

/// The gradient of the largest or smallest of all elements, divided among the elements that equal it.
Tensor extreme_of_all(const RecordedOperation& operation, const Tensor& g) {
  const Tensor& x = operation.saved(0);
  const Tensor& r = operation.saved(1);
  const Tensor is_extreme = x.eq(r).to(g.dtype()) + x.ne(x).to(g.dtype()) * r.ne(r).to(g.dtype());
  return is_extreme * (g / is_extreme.sum());
}

/// The gradient of the largest or smallest along a dimension, at that element.
Tensor extreme_along(const RecordedOperation& operation, const Tensor& g) {
  const auto& sizes = operation.inputs[0].sizes;
  if (sizes.count == 0) return g;
  return scatter(g, operation.saved(0), sizes, static_cast<int>(operation.dims[0]), no_ignored_index);
}

}  // namespace

D2L_DERIVATIVE(SumBackward0, over_input(operation, g))
D2L_DERIVATIVE(SumBackward1, over_input(operation, g))
D2L_DERIVATIVE(MeanBackward0, over_input(operation, g / reduced_count(operation)))
D2L_DERIVATIVE(MeanBackward1, over_input(operation, g / reduced_count(operation)))
D2L_DERIVATIVE(MaxBackward0, extreme_along(operation, g))
D2L_DERIVATIVE(MinBackward0, extreme_along(operation, g))
D2L_DERIVATIVE(MaxBackward1, extreme_of_all(operation, g))
D2L_DERIVATIVE(MinBackward1, extreme_of_all(operation, g))

void NormBackward1(const RecordedOperation& operation, const Tensor& grad, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const Tensor r = with_reduced_dimensions(operation, operation.saved(1));
  const Tensor g = with_reduced_dimensions(operation, grad);
  const double p = operation.number.toDouble();
  if (p == 0) return;  // a count has no gradient
  if (p == 1) {
    results[0] = g * x.sign();
  } else if (p == 2) {
    results[0] = x * divided_or_zero(g, r);
  } else if (std::isinf(p)) {
    const Tensor is_extreme = x.abs().eq(r).to(x.dtype());
    Dimensions dims = operation.dims;
    const Tensor count = dims.count == 0 ? is_extreme : is_extreme.sum(dims.ref(), true);
    results[0] = x.sign() * is_extreme * (g / count);
  } else if (p < 2) {
    // |x|^(p - 1) is undefined at 0 when p < 1; the gradient there is 0.
    const Tensor size = x.abs();
    const Tensor slope = divided_or_zero(size.pow(p), size);
    results[0] = x.sign() * slope * divided_or_zero(g, r.pow(p - 1));
  } else {
    results[0] = x * x.abs().pow(p - 2) * divided_or_zero(g, r.pow(p - 1));
  }
}

}  // namespace d2l::detail::derivatives
