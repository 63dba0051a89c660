// SPDX-License-Identifier: MIT
// Creates tensors from sizes, and views of tensors.
#pragma once

#include "core/tensor_impl.h"

namespace d2l::detail {

/// `sizes` as Dimensions; ShapeError if there are more than max_dimensions.
Dimensions dimensions(IntArrayRef sizes, const char* operation);
/// The product of the sizes, which must not be negative; ShapeError if it overflows before a size of 0.
std::int64_t count_elements(const Dimensions& sizes, const char* operation);
///@{
/// A size from others, which must not be negative; ShapeError if it overflows.
std::int64_t checked_product(std::int64_t a, std::int64_t b, const char* operation);
std::int64_t checked_sum(std::int64_t a, std::int64_t b, const char* operation);
///@}
/// Row-major strides; ShapeError if one overflows, which is possible for an empty tensor too.
Dimensions contiguous_strides(const Dimensions& sizes, const char* operation);
/// True if the elements fill a block of memory without gaps or repetitions, in any order of dimensions.
bool is_dense(const TensorImpl& tensor);

/// A new row-major tensor with uninitialised memory; OutOfMemoryError names `operation`.
Tensor make_tensor(const Dimensions& sizes, ScalarType dtype, Device device, bool pinned, const char* operation);
/// Marks a new tensor as requiring gradients if the options say so; TypeError unless it is floating point.
Tensor with_gradient(Tensor tensor, const TensorOptions& options);
/// Another view of the elements of `base`; `offset` counts elements from the start of the storage.
Tensor make_view(const TensorImpl& base, const Dimensions& sizes, const Dimensions& strides, std::int64_t offset);
/// The view of `tensor` broadcast to `sizes`.
Tensor broadcast_view(const TensorImpl& tensor, const Dimensions& sizes);

}  // namespace d2l::detail
