// SPDX-License-Identifier: MIT
// equal and allclose: comparisons of whole tensors, computed on their device.
#include <fmt/format.h>

#include <limits>

#include "core/construct.h"
#include "core/messages.h"
#include "ops/operands.h"
#include "tensor/copies.h"

namespace d2l {

using detail::fail;
using detail::impl_of;

namespace {

/// True if all elements are true; from a GPU by an implicit copy of one byte.
bool all_true(const Tensor& truths, const char* operation) {
  return truths.numel() == 0 || detail::single_value(truths.min(), operation).toBool();
}

void check_tolerance(const char* name, double value) {
  if (value >= 0) return;
  fail<ValueError>("allclose", fmt::format("{} must be greater than or equal to zero, but got {:g}", name, value));
}

}  // namespace

bool Tensor::equal(const Tensor& other) const {
  const auto& a = impl_of(*this, "equal");
  const auto& b = impl_of(other, "equal");
  detail::same_device("equal", {&a, &b});
  return same(a.sizes, b.sizes) && all_true(eq(other), "equal");
}

bool Tensor::allclose(const Tensor& other, double rtol, double atol, bool equal_nan) const {
  const auto& a = impl_of(*this, "allclose");
  const auto& b = impl_of(other, "allclose");
  if (a.dtype != b.dtype) {
    fail<TypeError>("allclose", fmt::format("{} did not match {}", toString(a.dtype), toString(b.dtype)),
                    detail::operands({{"a", &a}, {"b", &b}}), "convert one of them first, for example b.to(a.dtype())");
  }
  check_tolerance("rtol", rtol);
  check_tolerance("atol", atol);
  if (!isFloatingType(a.dtype)) return to(kDouble).allclose(other.to(kDouble), rtol, atol, equal_nan);

  auto close = eq(other);
  if (equal_nan) close = close.add(ne(*this).mul(other.ne(other)));
  const auto difference = sub(other).abs();
  const auto allowed = other.abs().mul(rtol).add(atol);
  const auto finite = difference.lt(std::numeric_limits<double>::infinity());
  return all_true(close.add(difference.le(allowed).mul(finite)), "allclose");
}

}  // namespace d2l
