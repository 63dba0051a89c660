// SPDX-License-Identifier: MIT
// The record of softmax, which attention has too.
#pragma once

#include "autograd/derivatives.h"
#include "d2l/tensor.h"

namespace d2l::detail {

/// Records `result` as the softmax or log_softmax of `x` along dimension `dim`, if x wants a gradient.
void record_softmax(const Tensor& result, Recorded kind, const Tensor& x, int dim);

}  // namespace d2l::detail
