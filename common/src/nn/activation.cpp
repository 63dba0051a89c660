// SPDX-License-Identifier: MIT
#include "d2l/nn/activation.h"

#include "d2l/ops.h"

namespace d2l::nn {

Tensor ReLUImpl::forward(const Tensor& input) {
  if (!options.inplace()) return input.relu();
  Tensor result = input;
  result.relu_();
  return result;
}

}  // namespace d2l::nn
