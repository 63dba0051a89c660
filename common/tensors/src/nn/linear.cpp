// SPDX-License-Identifier: MIT
#include "d2l/nn/linear.h"

#include <fmt/format.h>

#include <cmath>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "d2l/nn/init.h"
#include "d2l/nn/parameter.h"
#include "d2l/ops.h"
#include "nn/parameter.h"

namespace d2l::nn {

namespace {

/// As in PyTorch: kaiming_uniform_ with a = √5 is uniform within ±1/√fan_in.
double bound(std::int64_t in_features) { return in_features > 0 ? 1 / std::sqrt(static_cast<double>(in_features)) : 0; }

Tensor uninitialized(const LinearOptions& options) { return UninitializedParameter(options.parameters()); }

}  // namespace

// The braces create the weight before the bias.
LinearImpl::LinearImpl(const LinearOptions& chosen)
    : LinearImpl{chosen, empty({chosen.out_features(), chosen.in_features()}, chosen.parameters()),
                 chosen.bias() ? empty({chosen.out_features()}, chosen.parameters()) : Tensor()} {
  reset_parameters();
}

LinearImpl::LinearImpl(const LinearOptions& chosen, const Tensor& given_weight, const Tensor& given_bias)
    : options(chosen),
      weight(register_parameter("weight", given_weight)),
      bias(register_parameter("bias", given_bias)) {}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the layer.
void LinearImpl::reset_parameters() {
  const double limit = bound(options.in_features());
  if (!is_uninitialized(weight)) init::uniform_(weight, -limit, limit);
  if (bias.defined() && !is_uninitialized(bias)) init::uniform_(bias, -limit, limit);
}

Tensor LinearImpl::forward(const Tensor& input) { return linear(input, weight, bias); }

std::string LinearImpl::extra_repr() const {
  return fmt::format("in_features={}, out_features={}, bias={}", options.in_features(), options.out_features(),
                     bias.defined() ? "True" : "False");
}

std::shared_ptr<Module> LinearImpl::clone() const {
  const std::shared_ptr<LinearImpl> copy(
      new LinearImpl(options, detail::clone_parameter(weight), detail::clone_parameter(bias)));
  copy->train(is_training());
  return copy;
}

LazyLinearImpl::LazyLinearImpl(const LinearOptions& chosen)
    : LinearImpl(chosen, uninitialized(chosen), chosen.bias() ? uninitialized(chosen) : Tensor()) {}

Tensor LazyLinearImpl::forward(const Tensor& input) {
  if (!initialized_) initialize_parameters(input);
  return LinearImpl::forward(input);
}

void LazyLinearImpl::initialize_parameters(const Tensor& input) {
  const NoGradGuard unrecorded;
  if (input.dim() == 0) {
    detail::fail<IndexError>("LazyLinear", "tuple index out of range",
                             detail::operands({{"input", input.impl().get()}}),
                             "give it an input whose last dimension is the features");
  }
  const auto in_features = is_uninitialized(weight) ? input.size(-1) : weight.size(-1);
  options.in_features(in_features);
  const double limit = bound(in_features);
  if (is_uninitialized(weight)) {
    materialize(weight, {options.out_features(), in_features});
    init::uniform_(weight, -limit, limit);
  }
  if (is_uninitialized(bias)) {
    materialize(bias, {options.out_features()});
    init::uniform_(bias, -limit, limit);
  }
  rename("Linear");
  initialized_ = true;
}

std::shared_ptr<Module> LazyLinearImpl::clone() const {
  auto copy = std::make_shared<LazyLinearImpl>(options);
  const auto& impl = *weight.impl();
  copy->to(impl.device(), impl.dtype);
  copy->load_state_dict(state_dict());
  copy->initialized_ = initialized_;
  if (initialized_) copy->rename("Linear");
  copy->train(is_training());
  return copy;
}

}  // namespace d2l::nn
