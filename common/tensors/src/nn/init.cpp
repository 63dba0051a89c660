// SPDX-License-Identifier: MIT
#include "d2l/nn/init.h"

#include <fmt/format.h>

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

struct Fans {
  double in;
  double out;
};

Fans fans(const Tensor& tensor, const char* operation) {
  const auto& sizes = detail::impl_of(tensor, operation).sizes;
  if (sizes.count < 2) {
    detail::fail<ShapeError>(operation,
                             "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions",
                             detail::operands({{"tensor", tensor.impl().get()}}), "use uniform_ or normal_");
  }
  double receptive_field = 1;
  for (int i = 2; i < sizes.count; ++i) receptive_field *= static_cast<double>(sizes[i]);
  return {static_cast<double>(sizes[1]) * receptive_field, static_cast<double>(sizes[0]) * receptive_field};
}

}  // namespace

Tensor uniform_(Tensor tensor, double low, double high) {
  if (!(low <= high)) {
    detail::fail<ValueError>(
        "uniform_", fmt::format("uniform_ expects to return a [from, to) range, but found from={} > to={}", low, high),
        {}, "give the lower bound first");
  }
  return fill_with(tensor, rand_like(tensor), high - low, low);
}

Tensor normal_(Tensor tensor, double mean, double std) {
  if (!(std >= 0)) {
    detail::fail<ValueError>("normal_", fmt::format("normal expects std >= 0.0, but found std {}", std), {},
                             "give 0 or more");
  }
  return fill_with(tensor, randn_like(tensor), std, mean);
}

Tensor constant_(Tensor tensor, Scalar value) {
  const NoGradGuard unrecorded;
  tensor.fill_(value);
  return tensor;
}

Tensor zeros_(Tensor tensor) { return constant_(std::move(tensor), 0); }
Tensor ones_(Tensor tensor) { return constant_(std::move(tensor), 1); }

double calculate_gain(Nonlinearity nonlinearity, double param) {
  switch (nonlinearity) {
    case Nonlinearity::linear:
    case Nonlinearity::sigmoid:
      return 1;
    case Nonlinearity::tanh:
      return 5.0 / 3;
    case Nonlinearity::relu:
      return std::sqrt(2.0);
    case Nonlinearity::leaky_relu:
      return std::sqrt(2 / (1 + param * param));
  }
  return 1;
}

Tensor kaiming_uniform_(Tensor tensor, double a, FanMode mode, Nonlinearity nonlinearity) {
  const auto [in, out] = fans(tensor, "kaiming_uniform_");
  if (tensor.numel() == 0) return tensor;
  const double std = calculate_gain(nonlinearity, a) / std::sqrt(mode == FanMode::fan_in ? in : out);
  const double bound = std::sqrt(3.0) * std;
  return uniform_(std::move(tensor), -bound, bound);
}

Tensor kaiming_normal_(Tensor tensor, double a, FanMode mode, Nonlinearity nonlinearity) {
  const auto [in, out] = fans(tensor, "kaiming_normal_");
  if (tensor.numel() == 0) return tensor;
  const double std = calculate_gain(nonlinearity, a) / std::sqrt(mode == FanMode::fan_in ? in : out);
  return normal_(std::move(tensor), 0, std);
}

Tensor xavier_uniform_(Tensor tensor, double gain) {
  const auto [in, out] = fans(tensor, "xavier_uniform_");
  if (tensor.numel() == 0) return tensor;
  const double bound = gain * std::sqrt(6 / (in + out));
  return uniform_(std::move(tensor), -bound, bound);
}

Tensor xavier_normal_(Tensor tensor, double gain) {
  const auto [in, out] = fans(tensor, "xavier_normal_");
  if (tensor.numel() == 0) return tensor;
  return normal_(std::move(tensor), 0, gain * std::sqrt(2 / (in + out)));
}

}  // namespace d2l::nn::init
