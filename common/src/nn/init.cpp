// SPDX-License-Identifier: MIT
#include "d2l/nn/init.h"

#include <cmath>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"

namespace d2l::nn::init {

namespace {

/// Fills the tensor with scale × number + shift, for random numbers.
Tensor& fill_with(Tensor& tensor, Tensor numbers, double scale, double shift) {
  const NoGradGuard unrecorded;
  return tensor.copy_(numbers.mul_(scale).add_(shift));
}

}  // namespace

Tensor uniform_(Tensor tensor, double low, double high) {
  return fill_with(tensor, rand_like(tensor), high - low, low);
}

Tensor normal_(Tensor tensor, double mean, double std) { return fill_with(tensor, randn_like(tensor), std, mean); }

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
