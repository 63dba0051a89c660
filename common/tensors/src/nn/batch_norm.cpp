// SPDX-License-Identifier: MIT
#include "d2l/nn/batch_norm.h"

#include <fmt/format.h>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "d2l/nn/init.h"
#include "d2l/nn/parameter.h"
#include "d2l/repr.h"
#include "nn/copy_state.h"

namespace d2l::nn {

namespace {

[[noreturn]] void fail_dimensions(const Tensor& input, const char* wanted) {
  d2l::detail::fail<ValueError>("batch_norm", fmt::format("expected {} input (got {}D input)", wanted, input.dim()),
                                d2l::detail::operands({{"input", input.impl().get()}}),
                                "the dimensions are the batch, the channels, and those of an image");
}

/// ValueError for one value for each channel: its variance would be 0.
void check_values_per_channel(const Tensor& input) {
  std::int64_t count = input.size(0);
  for (std::int64_t i = 2; i < input.dim(); ++i) count *= input.size(i);
  if (count != 1) return;
  d2l::detail::fail<ValueError>(
      "batch_norm",
      fmt::format("Expected more than 1 value per channel when training, got input size {}", d2l::repr(input.sizes())),
      d2l::detail::operands({{"input", input.impl().get()}}), "give a larger batch, or call eval()");
}

Tensor normalised_batch(const Tensor& input, const Tensor& mean, const Tensor& var, const Tensor& weight,
                        const Tensor& bias, bool training, double momentum, double eps) {
  d2l::detail::impl_of(input, "batch_norm");
  if (training && input.dim() > 1) check_values_per_channel(input);
  return d2l::batch_norm(input, weight, bias, mean, var, training, momentum, eps);
}

Tensor uninitialized_buffer(const TensorOptions& options) { return UninitializedParameter(options, false); }

}  // namespace

BatchNormImplBase::BatchNormImplBase(const BatchNormOptions& chosen, bool lazy) : options(chosen), initialized_(!lazy) {
  const auto& place = options.parameters();
  const auto parameter = [&] {
    if (!options.affine()) return Tensor();
    return lazy ? UninitializedParameter(place) : empty({options.num_features()}, place);
  };
  const auto buffer = [&] {
    if (!options.track_running_stats()) return Tensor();
    return lazy ? uninitialized_buffer(place) : empty({options.num_features()}, place);
  };
  weight = register_parameter("weight", parameter());
  bias = register_parameter("bias", parameter());
  running_mean = register_buffer("running_mean", buffer());
  running_var = register_buffer("running_var", buffer());
  num_batches_tracked = register_buffer(
      "num_batches_tracked", options.track_running_stats() ? zeros({}, TensorOptions(place).dtype(kLong)) : Tensor());
  reset_parameters();
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the layer.
void BatchNormImplBase::reset_running_stats() {
  if (!options.track_running_stats() || is_uninitialized(running_mean)) return;
  running_mean.zero_();
  running_var.fill_(1);
  num_batches_tracked.zero_();
}

void BatchNormImplBase::reset_parameters() {
  reset_running_stats();
  if (!options.affine() || is_uninitialized(weight)) return;
  init::ones_(weight);
  init::zeros_(bias);
}

Tensor BatchNormImplBase::forward(const Tensor& input) {
  d2l::detail::impl_of(input, "batch_norm");
  check_input_dim(input);
  double share = options.momentum().value_or(0);
  if (is_training() && options.track_running_stats()) {
    num_batches_tracked.add_(1);
    if (!options.momentum()) share = 1 / num_batches_tracked.item<double>();
  }
  const bool uses_batch = is_training() || (!running_mean.defined() && !running_var.defined());
  return normalised_batch(input, running_mean, running_var, weight, bias, uses_batch, share, options.eps());
}

std::string BatchNormImplBase::extra_repr() const {
  return fmt::format("{}, eps={}, momentum={}, affine={}, track_running_stats={}", options.num_features(),
                     d2l::repr(options.eps()), options.momentum() ? d2l::repr(*options.momentum()) : "None",
                     d2l::repr(options.affine()), d2l::repr(options.track_running_stats()));
}

std::shared_ptr<Module> BatchNormImplBase::clone() const {
  auto copy = new_module(options);
  d2l::detail::copy_state(*this, *copy);
  copy->options = options;
  copy->initialized_ = initialized_;
  copy->rename(name());
  return copy;
}

void BatchNormImplBase::initialize_parameters(const Tensor& input, const char* name) {
  if (initialized_) return;
  d2l::detail::impl_of(input, name);
  check_input_dim(input);
  const NoGradGuard unrecorded;
  options.num_features(input.size(1));
  bool fresh = false;
  for (const Tensor& tensor : {weight, bias, running_mean, running_var}) {
    if (!is_uninitialized(tensor)) continue;
    materialize(tensor, {input.size(1)});
    fresh = true;
  }
  for (const Tensor& buffer : {running_mean, running_var}) {
    if (buffer.defined()) buffer.impl()->parameter = d2l::detail::ParameterState::none;
  }
  if (fresh) reset_parameters();
  rename(name);
  initialized_ = true;
}

void BatchNorm1dImpl::check_input_dim(const Tensor& input) const {
  if (input.dim() != 2 && input.dim() != 3) fail_dimensions(input, "2D or 3D");
}

std::shared_ptr<BatchNormImplBase> BatchNorm1dImpl::new_module(const BatchNormOptions& chosen) const {
  return std::make_shared<BatchNorm1dImpl>(chosen);
}

void BatchNorm2dImpl::check_input_dim(const Tensor& input) const {
  if (input.dim() != 4) fail_dimensions(input, "4D");
}

std::shared_ptr<BatchNormImplBase> BatchNorm2dImpl::new_module(const BatchNormOptions& chosen) const {
  return std::make_shared<BatchNorm2dImpl>(chosen);
}

Tensor LazyBatchNorm1dImpl::forward(const Tensor& input) {
  initialize_parameters(input, "BatchNorm1d");
  return BatchNorm1dImpl::forward(input);
}

std::shared_ptr<BatchNormImplBase> LazyBatchNorm1dImpl::new_module(const BatchNormOptions& chosen) const {
  return std::make_shared<LazyBatchNorm1dImpl>(chosen);
}

Tensor LazyBatchNorm2dImpl::forward(const Tensor& input) {
  initialize_parameters(input, "BatchNorm2d");
  return BatchNorm2dImpl::forward(input);
}

std::shared_ptr<BatchNormImplBase> LazyBatchNorm2dImpl::new_module(const BatchNormOptions& chosen) const {
  return std::make_shared<LazyBatchNorm2dImpl>(chosen);
}

Tensor functional::batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var,
                              const BatchNormFuncOptions& options) {
  return normalised_batch(input, running_mean, running_var, options.weight(), options.bias(), options.training(),
                          options.momentum().value_or(0), options.eps());
}

}  // namespace d2l::nn
