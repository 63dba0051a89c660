// SPDX-License-Identifier: MIT
// The dimensions that a reduction names, and its record.
#include "tensor/reduced_dimensions.h"

#include <fmt/format.h>

#include "core/messages.h"

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
  made->integers = {keepdim ? 1 : 0, named ? 1 : 0};
  made->number = number;
  for (int i = 0; i < x.impl()->sizes.count; ++i) {
    if (dims[static_cast<std::size_t>(i)]) made->dims[made->dims.count++] = i;
  }
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

}  // namespace d2l::detail
