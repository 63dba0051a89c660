// SPDX-License-Identifier: MIT
// Making tensors from sizes, and views from tensors.
#pragma once

#include <memory>
#include <string_view>

#include "core/tensor_impl.h"

namespace d2l::detail {

/// `sizes` as Dimensions; ShapeError when there are more than max_dimensions.
Dimensions dimensions(IntArrayRef sizes, const char* operation);
/// The product of the sizes; ShapeError when it overflows. None may be negative.
std::int64_t count_elements(const Dimensions& sizes, const char* operation);
/// Row-major strides.
Dimensions contiguous_strides(const Dimensions& sizes);
inline bool same(const Dimensions& a, const Dimensions& b) noexcept {
  if (a.count != b.count) return false;
  for (int i = 0; i < a.count; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}
/// True when the elements fill a block of memory without gaps or repetitions, in any order of dimensions.
bool is_dense(const TensorImpl& tensor);

/// A new row-major tensor; its memory is as it is found.
Tensor make_tensor(const Dimensions& sizes, ScalarType dtype, Device device, bool pinned, const char* operation);
/// A new tensor, marked as one that gradients are wanted for where the options say so; TypeError unless floating point.
Tensor with_gradient(Tensor tensor, const TensorOptions& options);
/// Another view of the elements of `base`; `offset` in elements from the start of the storage.
Tensor make_view(const TensorImpl& base, const Dimensions& sizes, const Dimensions& strides, std::int64_t offset);
/// The view of `tensor` with the larger shape `sizes`, which it broadcasts to.
Tensor broadcast_view(const TensorImpl& tensor, const Dimensions& sizes);

}  // namespace d2l::detail
