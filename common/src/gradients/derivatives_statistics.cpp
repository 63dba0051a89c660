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

/// The gradient of the variance: 2 (x − mean) / (count − correction).
Tensor of_variance(const RecordedOperation& operation, const Tensor& g) {
  const Tensor& x = operation.saved(0);
  const double freedom = static_cast<double>(reduced_count(operation)) - operation.number.toDouble();
  const double factor = freedom > 0 ? 2 / freedom : std::numeric_limits<double>::infinity();
  const auto dims = operation.dims;
  const Tensor mean = dims.count == 0 ? x.mean() : x.mean(dims.ref(), true);
  return with_reduced_dimensions(operation, g) * factor * (x - mean);
}

/// The gradient of a product: the product of the other elements. Zeros are left out of the product and counted, so that
/// no element is divided by 0.
Tensor of_product(const RecordedOperation& operation, const Tensor& g) {
  const Tensor& x = operation.saved(0);
  const Tensor zeros = x.eq(0).to(x.dtype());
  const Tensor factors = x + zeros;
  const auto dims = operation.dims;
  const bool one_dimension = dims.count == 1;
  const Tensor product = one_dimension ? factors.prod(dims[0], true) : factors.prod();
  const Tensor count = one_dimension ? zeros.sum(dims.ref(), true) : zeros.sum();
  const Tensor others_are_not_zero = count.eq(zeros).to(x.dtype());
  return with_reduced_dimensions(operation, g) * (product / factors) * others_are_not_zero;
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
