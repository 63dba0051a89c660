// SPDX-License-Identifier: MIT
// Derivatives of variances, products, logarithms of sums of exponentials, and sums up to each element. x is the input,
// r the result, g its gradient.
#include <limits>

#include "autograd/recorded_operation.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "gradients/reduced.h"

namespace d2l::detail::derivatives {

namespace {

/// The gradient of the variance: 2 (x − mean) / (count − correction). As in PyTorch, the divisor may be negative if
/// dimensions are named, and else the gradient of no freedom is infinite.
Tensor of_variance(const RecordedOperation& operation, const Tensor& g) {
  const Tensor& x = operation.saved(0);
  const double freedom = static_cast<double>(reduced_count(operation)) - operation.number.toDouble();
  const bool of_all = operation.integers[1] == 0;
  const auto dims = operation.dims;
  const Tensor mean = dims.count == 0 ? x.mean() : x.mean(dims.ref(), true);
  const Tensor grad = with_reduced_dimensions(operation, g);
  if (of_all && freedom <= 0) {
    return grad * where(x.eq(mean), full_like(x, std::numeric_limits<double>::quiet_NaN()),
                        std::numeric_limits<double>::infinity());
  }
  return grad * (2 / freedom) * (x - mean);
}

/// The gradient of a product: the product of the other elements. Zeros are left out of the product and counted, so that
/// no element is divided by 0; so are infinities and NaN, whose product with a 0 is NaN.
Tensor of_product(const RecordedOperation& operation, const Tensor& g) {
  const Tensor& x = operation.saved(0);
  const Tensor zeros = x.eq(0).to(x.dtype());
  const Tensor infinities = (x - x).ne(0).to(x.dtype());
  const Tensor factors = x + zeros;
  const auto dims = operation.dims;
  const bool one_dimension = operation.kind == Recorded::ProdBackward1 && dims.count == 1;
  const auto sum = [&](const Tensor& all) { return one_dimension ? all.sum(dims.ref(), true) : all.sum(); };
  const Tensor product = one_dimension ? factors.prod(dims[0], true) : factors.prod();
  const Tensor count = sum(zeros);
  const Tensor other_infinities = sum(infinities) - infinities;
  Tensor undefined = other_infinities.gt(0);
  if (!one_dimension) undefined = undefined.logical_and(count.le(1));  // of two zeros, PyTorch looks at no element
  const Tensor of_zeros = where(undefined, full_like(x, std::numeric_limits<double>::quiet_NaN()), 0);
  return with_reduced_dimensions(operation, g) * where(count.gt(zeros), of_zeros, product / factors);
}

}  // namespace

D2L_DERIVATIVE(VarBackward0, of_variance(operation, g))
D2L_DERIVATIVE(StdBackward0, of_variance(operation, divided_or_zero(g, operation.saved(1) * 2)))
D2L_DERIVATIVE(ProdBackward0, of_product(operation, g))
D2L_DERIVATIVE(ProdBackward1, of_product(operation, g))

D2L_DERIVATIVE(LogsumexpBackward0,
               with_reduced_dimensions(operation, g) *
                   (operation.saved(0) - with_reduced_dimensions(operation, operation.saved(1))).exp())

D2L_DERIVATIVE(CumsumBackward0, g.flip(operation.integers[0]).cumsum(operation.integers[0]).flip(operation.integers[0]))

}  // namespace d2l::detail::derivatives
