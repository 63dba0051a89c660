// SPDX-License-Identifier: MIT
// # Compressed gradients
//
// Over a slow link the exchange of gradients takes longer than the step. Most of a
// gradient's numbers are small. So each rank sends only the k largest, with their
// places, and keeps the others for later: what was not sent is added to the gradient of
// the next step. Nothing is lost; it is only sent later. (Aji and Heafield, 2017.)
//
// Given: a gradient with one dimension, float32, and a *residual* of the same size,
// which is 0 before the first step. What must hold for `compress`:
//
// - It takes the k numbers of gradient + residual with the largest absolute values, in
//   any order; of equal ones, any.
// - `places` has their places, int64, and `values` the numbers, float32, both of size
//   k.
// - Afterwards the residual is gradient + residual, with 0 at the places that were
//   taken. It keeps its memory. The gradient does not change.
//
// What must hold for `all_reduce_compressed`:
//
// - The result, float32 with n numbers, is the sum of what all ranks took, on every
//   rank. Several ranks may have taken the same place.
// - A rank sends at most (ranks − 1) · 12 · k bytes, and 100 more.
//
// All tensors are on the CPU: `data_ptr<float>()` and `data_ptr<std::int64_t>()` give
// their numbers. All ranks have the same k, from 1 to n. The check calls `compress` for
// three steps, with 200 to 67,000 numbers, and `all_reduce_compressed` on 1 to 4 ranks,
// which are threads.
#pragma once

#include <cstdint>

#include "d2l/d2l.h"
#include "d2l/distributed.h"

/// Some numbers of a gradient.
struct Compressed {
  d2l::Tensor places;  ///< int64
  d2l::Tensor values;  ///< float32
};

/// Takes the k largest numbers, and keeps the others in the residual.
Compressed compress(const d2l::Tensor& gradient, d2l::Tensor residual, std::int64_t k);
/// The sum over all ranks of what they took, of n numbers.
d2l::Tensor all_reduce_compressed(const Compressed& mine, std::int64_t n);
