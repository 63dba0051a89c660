// SPDX-License-Identifier: MIT
// The dimensions that a reduction names, its record, and what the derivatives of reductions share.
#pragma once

#include <initializer_list>

#include "autograd/recording.h"
#include "ops/reduction.h"

namespace d2l::detail {

/// Every dimension.
DimensionSet all_dimensions(const TensorImpl& impl);
/// The named dimensions, or all if none is named; IndexError for one that does not exist, ShapeError for one that is
/// named twice.
DimensionSet named_dimensions(const TensorImpl& impl, IntArrayRef dims, const char* operation);
/// The dimension `dim` as a set; IndexError if its size is 0.
DimensionSet searched_dimension(const TensorImpl& impl, std::int64_t dim, const char* operation);
/// `result` with its record; `saved` are the tensors that the derivative needs, and `named` is true if the caller named
/// the dimensions, where that matters to it.
Tensor recorded_reduction(Tensor result, Recorded kind, const Tensor& x, const DimensionSet& dims, bool keepdim,
                          std::initializer_list<const Tensor*> saved = {}, const Scalar& number = 0,
                          bool named = false);

/// The state of a recorded reduction.
struct Reduced {
  Dimensions dims;
  bool keepdim = false;
  bool named = false;
  Scalar number;
};

///@{
/// For derivatives: `values`, the shape of the result, with a dimension of size 1 for each reduced one; how many
/// elements of the input each element of the result comes from; a / b, and 0 where b is 0.
Tensor with_reduced_dimensions(const RecordedOperation& operation, const Tensor& values);
std::int64_t reduced_count(const RecordedOperation& operation);
Tensor divided_or_zero(const Tensor& a, const Tensor& b);
///@}

}  // namespace d2l::detail
