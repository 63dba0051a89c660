// SPDX-License-Identifier: MIT
#include "d2l/nn/dropout.h"

#include <fmt/format.h>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "d2l/repr.h"

namespace d2l::nn {

namespace {

void check_probability(double p) {
  if (p >= 0 && p <= 1) return;
  detail::fail<ValueError>("dropout",
                           fmt::format("dropout probability has to be between 0 and 1, but got {}", d2l::repr(p)), {},
                           "give the probability that an element becomes 0");
}

/// 0 with probability p, else 1 / (1 − p).
Tensor noise_like(const Tensor& input, double p) {
  const NoGradGuard unrecorded;
  if (p == 1) return zeros({}, input.options());
  return rand_like(input).lt(1 - p).to(input.dtype()).div_(1 - p);
}

Tensor drop(const Tensor& input, double p, bool inplace) {
  detail::impl_of(input, "dropout");
  if (!isFloatingType(input.dtype())) {
    detail::fail<TypeError>(
        "dropout", "result type Float can't be cast to the desired output type " + std::string(toString(input.dtype())),
        detail::operands({{"input", input.impl().get()}}), "convert it with to(kFloat)");
  }
  if (p == 0 || input.numel() == 0) return input;
  const Tensor noise = noise_like(input, p);
  if (!inplace) return input.mul(noise);
  Tensor result = input;
  return result.mul_(noise);
}

}  // namespace

DropoutImpl::DropoutImpl(const DropoutOptions& chosen) : options(chosen) { check_probability(options.p()); }

Tensor DropoutImpl::forward(const Tensor& input) {
  return is_training() ? drop(input, options.p(), options.inplace()) : input;
}

std::string DropoutImpl::extra_repr() const {
  return fmt::format("p={}, inplace={}", d2l::repr(options.p()), d2l::repr(options.inplace()));
}

std::shared_ptr<Module> DropoutImpl::clone() const {
  auto copy = std::make_shared<DropoutImpl>(options);
  copy->train(is_training());
  return copy;
}

Tensor functional::dropout(const Tensor& input, const DropoutFuncOptions& options) {
  check_probability(options.p());
  return options.training() ? drop(input, options.p(), options.inplace()) : input;
}

}  // namespace d2l::nn
