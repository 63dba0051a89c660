// SPDX-License-Identifier: MIT
// The dimensions that a reduction names, its record, and what the derivatives of reductions share.
#include "tensor/reduced_dimensions.h"

#include <fmt/format.h>

#include "core/messages.h"
#include "ops/elementwise_launch.h"

namespace d2l::detail {

DimensionSet all_dimensions(const TensorImpl& impl) {
  DimensionSet set;
  for (int i = 0; i < impl.sizes.count; ++i) set.set(static_cast<std::size_t>(i));
  return set;
}

DimensionSet named_dimensions(const TensorImpl& impl, IntArrayRef dims, const char* operation) {
  if (dims.empty()) return all_dimensions(impl);
  std::array<bool, max_dimensions> seen{};
  DimensionSet set;
  for (const auto dim : dims) {
    const auto at = static_cast<std::size_t>(wrap_dimension(dim, impl.sizes.count, operation));
    if (seen[at]) {
      fail<ShapeError>(operation, fmt::format("dim {} appears multiple times in the list of dims", at), {},
                       "name each dimension once");
    }
    seen[at] = true;
    if (impl.sizes.count > 0) set.set(at);
  }
  return set;
}

Tensor recorded_reduction(Tensor result, Recorded kind, const Tensor& x, const DimensionSet& dims, bool keepdim,
                          std::initializer_list<const Tensor*> saved, const Scalar& number, bool named) {
  if (!is_recorded(x) || !isFloatingType(result.impl()->dtype)) return result;
  auto made = detail::record(kind, {&x});
  Reduced how{.dims = {}, .keepdim = keepdim, .named = named, .number = number};
  for (int i = 0; i < x.impl()->sizes.count; ++i) {
    if (dims[static_cast<std::size_t>(i)]) how.dims[how.dims.count++] = i;
  }
  made->state = how;
  std::size_t index = 0;
  for (const Tensor* tensor : saved) {
    const bool is_result = tensor->impl()->storage == result.impl()->storage;
    is_result ? save_made(*made, index++, *tensor) : save(*made, index++, *tensor);
  }
  if (kind == Recorded::MeanBackward1)
    made->has_saved = true;  // PyTorch saves the input, and so refuses a second backward()
  attach(result, std::move(made));
  return result;
}

DimensionSet searched_dimension(const TensorImpl& impl, std::int64_t dim, const char* operation) {
  const int at = wrap_dimension(dim, impl.sizes.count, operation);
  DimensionSet set;
  if (impl.sizes.count == 0) return set;
  if (impl.sizes[at] == 0) {
    fail<IndexError>(operation, fmt::format("{}(): Expected reduction dim {} to have non-zero size.", operation, at),
                     operands({{"input", &impl}}));
  }
  set.set(static_cast<std::size_t>(at));
  return set;
}

Tensor with_reduced_dimensions(const RecordedOperation& operation, const Tensor& values) {
  const auto& how = state_of<Reduced>(operation);
  if (how.keepdim) return values;
  auto shape = operation.inputs[0].sizes;
  for (int i = 0; i < how.dims.count; ++i) shape[static_cast<int>(how.dims[i])] = 1;
  return values.reshape(shape.ref());
}

std::int64_t reduced_count(const RecordedOperation& operation) {
  const auto& dims = state_of<Reduced>(operation).dims;
  std::int64_t count = 1;
  for (int i = 0; i < dims.count; ++i) count *= operation.inputs[0].sizes[static_cast<int>(dims[i])];
  return count;
}

Tensor divided_or_zero(const Tensor& a, const Tensor& b) {
  return elementwise(Operation::div_or_zero, Argument(*a.impl()), Argument(*b.impl()), a.dtype(), a.dtype());
}

}  // namespace d2l::detail
