// SPDX-License-Identifier: MIT
// # Layer normalisation
//
// A layer whose inputs differ widely in magnitude trains badly. *Layer normalisation*
// gives each row of a matrix the mean 0 and the variance 1, and then multiplies each
// column by a weight and adds a bias, which the network learns. Write it with kernels
// of yours, as an operation with a gradient: an `autograd::Function` (section 2.11.1).
//
// Given: `x`, a float32 matrix on a GPU, row-major and without gaps, with any number of
// rows and 1 to 1024 columns; `weight` and `bias`, one number for each column, on the
// same device; `eps`, a positive number. Let m be the mean of a row, and v the mean of
// (x - m)². With n = (x - m) / √(v + eps), the result is y = n · weight + bias. If g is
// the gradient of y, the gradients are:
//
// - of the bias: the sum of g over the rows, for each column
// - of the weight: the sum of g · n over the rows, for each column
// - of x: with s = g · weight, and the mean of s and the mean of s · n over the columns
//   of its row, (s - mean of s - n · mean of (s · n)) / √(v + eps)
//
// What must hold:
//
// - The result and the three gradients are correct within 1e-4 of the largest number of
//   each. No argument changes. With 0 rows, the result is empty, and the gradients of
//   weight and bias are 0.
// - If the mean of a row is 3000 times as large as its standard deviation, the result
//   is still correct within 5e-3. (The mean of x² minus m² would lose all digits.)
// - Any of x, weight and bias may need no gradient. The gradient of y may be an
//   expanded tensor.
// - If the program writes to `x` in place before `backward()`, either `backward()`
//   throws the library's error of a tensor that was changed in place, or the gradients
//   are still correct.
// - The forward computation is one launch of a kernel of yours, the backward one at
//   most two. Around them are at most three launches of the library forward, and six
//   backward, which make tensors or copy them. For 1000 rows and more, no warp and no
//   block makes more than a quarter of the forward launch's steps, and on average 8
//   threads of a warp or more make a step together.
// - For rows of 256 and more columns, the forward kernel loads at most 3 floats for
//   each element of x, and the backward kernels together at most 9. There are no atomic
//   operations, so the gradients are bit-identical in every run.
//
// The check draws matrices of 1 to 1024 columns (1, 31, 32, 33, 1000 and 1024 among
// them) and 0 to 1060 rows, some of equal numbers, and eps from 1e-5 to 1. It computes
// two results before their gradients, and compares with a computation in float64.
#pragma once

#include "d2l/d2l.h"

/// x, normalised by rows, times weight plus bias; autograd records it.
d2l::Tensor layer_norm(const d2l::Tensor& x, const d2l::Tensor& weight,
                       const d2l::Tensor& bias, double eps);
