// SPDX-License-Identifier: MIT
// The softmax of attention, and its record.
#pragma once

#include "autograd/derivatives.h"
#include "d2l/tensor.h"

namespace d2l::detail {

/// The softmax of floating-point numbers along dimension `dim`, and 0 in lines that are −∞ everywhere, as PyTorch's
/// `_safe_softmax`; recorded.
Tensor safe_softmax(const Tensor& x, int dim);

/// Records `result` as the softmax or log_softmax of `x` along dimension `dim`, if x wants a gradient.
void record_softmax(const Tensor& result, Recorded kind, const Tensor& x, int dim);

}  // namespace d2l::detail
