// SPDX-License-Identifier: MIT
#include "d2l/nn/init.h"

#include <cmath>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"

namespace d2l::nn::init {

Tensor uniform_(Tensor tensor, double low, double high) {
  const NoGradGuard unrecorded;
  auto numbers = rand_like(tensor);
  numbers.mul_(high - low).add_(low);
  tensor.copy_(numbers);
  return tensor;
}

Tensor normal_(Tensor tensor, double mean, double std) {
  const NoGradGuard unrecorded;
  auto numbers = randn_like(tensor);
  numbers.mul_(std).add_(mean);
  tensor.copy_(numbers);
  return tensor;
}

Tensor constant_(Tensor tensor, Scalar value) {
  const NoGradGuard unrecorded;
  tensor.fill_(value);
  return tensor;
}

Tensor zeros_(Tensor tensor) { return constant_(std::move(tensor), 0); }
Tensor ones_(Tensor tensor) { return constant_(std::move(tensor), 1); }

Tensor kaiming_uniform_(Tensor tensor, double a) {
  const auto sizes = tensor.sizes();
  if (sizes.size() < 2) {
    detail::fail<ShapeError>("kaiming_uniform_",
                             "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions",
                             detail::operands({{"tensor", tensor.impl().get()}}), "use uniform_");
  }
  if (tensor.numel() == 0) return tensor;
  const auto fan_in = static_cast<double>(tensor.numel()) / static_cast<double>(sizes[0]);
  const double bound = std::sqrt(6 / ((1 + a * a) * fan_in));
  return uniform_(std::move(tensor), -bound, bound);
}

}  // namespace d2l::nn::init
