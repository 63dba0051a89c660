// SPDX-License-Identifier: MIT
#include "d2l/nn/activation.h"

namespace d2l::nn {

Tensor ReLUImpl::forward(const Tensor& input) {
  if (!options.inplace()) return input.relu();
  Tensor result = input;
  return result.relu_();
}

std::string ReLUImpl::extra_repr() const { return options.inplace() ? "inplace=True" : ""; }

std::shared_ptr<Module> ReLUImpl::clone() const { return std::make_shared<ReLUImpl>(options); }

}  // namespace d2l::nn
