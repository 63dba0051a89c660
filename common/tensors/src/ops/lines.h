// SPDX-License-Identifier: MIT
// Launches of the kernels that move elements along a dimension: take, index_add, sort, cumsum, and triangles.
#pragma once

#include <cstdint>
#include <tuple>

#include "ops/elementwise_launch.h"

namespace d2l::detail {

using backend::IndexUse;

/// An index along a dimension: int64, of one dimension, or of the dimensions of the result if it is not shared.
struct IndexAlong {
  const Tensor& index;
  int dim;
  bool shared;          ///< one list for all lines
  IndexUse use;         ///< the public operation, for the error
  int named_dim = dim;  ///< the dimension in the error
};

/// The elements of `x` at an index. An index out of range is an IndexError on the CPU; on a GPU it makes the device
/// unusable.
Tensor take(const Tensor& x, const IndexAlong& at);
/// A tensor of shape `sizes`: the sums of the elements of `values` with the same index, else 0; errors as take().
Tensor index_add(const Tensor& values, const Dimensions& sizes, const IndexAlong& at);
/// The elements in ascending order along `dim` (or descending), and their indices; equal elements keep their order, and
/// NaN is the largest.
std::tuple<Tensor, Tensor> sorted(const Tensor& x, int dim, bool descending);
/// The first `count` elements of the same order, and their indices; a tensor without dimensions has one.
std::tuple<Tensor, Tensor> first_sorted(const Tensor& x, int dim, bool descending, std::int64_t count);
/// The sums up to each element along `dim`: int64 for integers and bools.
Tensor sums_along(const Tensor& x, int dim);
/// The triangle tril or triu of each matrix.
Tensor triangle(Operation operation, const Tensor& x, std::int64_t diagonal);

}  // namespace d2l::detail
