// SPDX-License-Identifier: MIT
// Tensors as indices: several dimensions that are indexed together, as one dimension of an array.
#pragma once

#include <vector>

#include "core/tensor_impl.h"

namespace d2l::detail {

/// Where the elements that tensors of indices name are. The indexed dimensions, side by side, count as one.
struct Places {
  Dimensions order;     ///< the dimensions of x, with the indexed ones side by side
  Dimensions permuted;  ///< their sizes
  Dimensions merged;    ///< the same with the indexed ones as one
  Dimensions taken;     ///< `merged` with the number of places in that dimension
  Dimensions result;    ///< the sizes of x.index(…)
  int at = 0;           ///< the dimension of `merged` that is indexed
  int named_dim = 0;    ///< the index in an error, which PyTorch counts
  Tensor positions;     ///< int64, one dimension: indices of it
};

/// The places that `indices`, one for each dimension of x and undefined for a whole one, name; a mask stands for as
/// many dimensions as it has. Without `counted`, one tensor of integers is checked when it is used, and may be
/// negative. Errors as Tensor::index().
Places places_of(const Tensor& x, const std::vector<Tensor>& indices, const char* operation, bool counted = false);
/// The elements of x at the places, without a record.
Tensor taken_at(const Tensor& x, const Places& places);

}  // namespace d2l::detail
