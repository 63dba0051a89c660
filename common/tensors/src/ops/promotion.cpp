// SPDX-License-Identifier: MIT
// Type promotion, as PyTorch does it.
#include "ops/promotion.h"

#include <optional>

#include "core/tensor_impl.h"

namespace d2l::detail {
namespace {

/// `strong` decides, unless the category of `weak` is higher.
ScalarType combine(ScalarType strong, ScalarType weak) noexcept {
  if (isFloatingType(strong)) return strong;
  if (strong == kBool || isFloatingType(weak)) return promoteTypes(strong, weak);
  return strong;
}

/// The dtype of a number: float32, the default of new tensors, for floating point.
ScalarType dtype_of(const Scalar& number) noexcept { return number.isFloatingPoint() ? kFloat : number.type(); }

}  // namespace

ScalarType result_type(const Tensor& a, const Tensor& b) noexcept {
  const auto& left = *a.impl();
  const auto& right = *b.impl();
  const bool left_weak = left.sizes.count == 0;
  const bool right_weak = right.sizes.count == 0;
  if (left_weak == right_weak) return promoteTypes(left.dtype, right.dtype);
  return right_weak ? combine(left.dtype, right.dtype) : combine(right.dtype, left.dtype);
}

ScalarType result_type(std::initializer_list<const Tensor*> tensors) noexcept {
  std::optional<ScalarType> strong;
  std::optional<ScalarType> weak;
  for (const Tensor* tensor : tensors) {
    const auto& impl = *tensor->impl();
    auto& common = impl.sizes.count == 0 ? weak : strong;
    common = common ? promoteTypes(*common, impl.dtype) : impl.dtype;
  }
  if (!strong || !weak) return strong ? *strong : *weak;
  return combine(*strong, *weak);
}

ScalarType result_type(const Tensor& tensor, const Scalar& number) noexcept {
  return result_type(tensor.impl()->dtype, number);
}
ScalarType result_type(ScalarType dtype, const Scalar& number) noexcept { return combine(dtype, dtype_of(number)); }
ScalarType result_type(const Scalar& a, const Scalar& b) noexcept { return promoteTypes(dtype_of(a), dtype_of(b)); }

bool can_cast(ScalarType from, ScalarType to) noexcept {
  if (to == kBool) return from == kBool;
  return isFloatingType(to) || !isFloatingType(from);
}

}  // namespace d2l::detail
