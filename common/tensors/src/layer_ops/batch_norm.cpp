// SPDX-License-Identifier: MIT
// batch_norm.
#include <fmt/format.h>

#include "d2l/layer_ops.h"
#include "kernels/normalisation_flags.h"
#include "layer_ops/normalisation_checks.h"
#include "layer_ops/normalisations.h"
#include "ops/arithmetic_rules.h"
#include "ops/elementwise_launch.h"
#include "ops/operands.h"

namespace d2l {

using detail::fail;
using detail::TensorImpl;

namespace {

struct BatchNormState {
  bool trains;
};

/// The operands of batch_norm(); those that are undefined are null.
struct BatchNormOperands {
  const TensorImpl& input;
  const TensorImpl* weight;
  const TensorImpl* bias;
  const TensorImpl* mean;
  const TensorImpl* var;
};

void check_batch_norm_count(const BatchNormOperands& given, const char* name, const TensorImpl* tensor) {
  if (tensor == nullptr || tensor->numel == given.input.sizes[1]) return;
  fail<ShapeError>("batch_norm",
                   fmt::format("{} should contain {} elements not {}", name, given.input.sizes[1], tensor->numel),
                   detail::operands({{"input", &given.input}, {name, tensor}}), "it has an element for each channel");
}

/// ValueError for undefined running statistics, which evaluation needs.
void check_batch_norm_defined(const char* name, const TensorImpl* tensor, bool training) {
  if (training || tensor != nullptr) return;
  fail<ValueError>("batch_norm", fmt::format("{} must be defined in evaluation mode", name), {},
                   "give the running statistics, or pass training = true");
}

/// ValueError for running statistics that want a gradient.
void check_batch_norm_constant(const char* name, const TensorImpl* tensor) {
  if (tensor == nullptr || !GradMode::is_enabled() || !detail::wants_gradient(*tensor)) return;
  fail<ValueError>("batch_norm",
                   fmt::format("The function 'native_batch_norm' is not differentiable with respect to argument '{}'. "
                               "This input cannot have requires_grad True.",
                               name),
                   detail::operands({{name, tensor}}), "detach it");
}

void check_batch_norm(const BatchNormOperands& given, bool training) {
  check_batch_norm_count(given, "running_mean", given.mean);
  check_batch_norm_defined("running_mean", given.mean, training);
  check_batch_norm_count(given, "running_var", given.var);
  check_batch_norm_defined("running_var", given.var, training);
  check_batch_norm_count(given, "weight", given.weight);
  check_batch_norm_count(given, "bias", given.bias);
  check_batch_norm_constant("running_mean", given.mean);
  check_batch_norm_constant("running_var", given.var);
  detail::check_floating(given.input, "batch_norm", "batch_norm");
  const detail::NamedOperands others{
      {"weight", given.weight}, {"bias", given.bias}, {"running_mean", given.mean}, {"running_var", given.var}};
  detail::check_same_device("batch_norm", given.input, others);
  detail::check_same_dtype("batch_norm", given.input, others);
}

/// Writes what the kernel left in a row-major copy back to the tensor.
void finish_running(const Tensor& running, const Tensor& changed) {
  if (!running.defined()) return;
  if (!changed.is_same(running)) detail::copy_within_device(*running.impl(), *changed.impl());
  detail::count_write(running);
}

/// The statistics of the input, towards which the running ones move.
Tensor batch_statistics(const TensorImpl& x, const Tensor& running_mean, const Tensor& running_var, double momentum,
                        double eps) {
  Tensor statistics = detail::make_tensor({{2, x.sizes[1]}, 2}, kDouble, x.device(), false, "batch_norm");
  auto arguments = detail::lines_along(x.sizes, 1);
  arguments.parameters[0].real = eps;
  arguments.parameters[1].real = momentum;
  Tensor mean;
  Tensor var;
  if (running_mean.defined()) {
    detail::check_no_internal_overlap(*running_mean.impl(), "batch_norm");
    mean = detail::row_major(running_mean);
    arguments.parameters[0].integer |= backend::has_running_mean;
    mean.impl()->storage->wait_until_ready();  // the kernel writes it
  }
  if (running_var.defined()) {
    detail::check_no_internal_overlap(*running_var.impl(), "batch_norm");
    var = detail::row_major(running_var);
    arguments.parameters[0].integer |= backend::has_running_var;
    var.impl()->storage->wait_until_ready();
  }
  detail::launch_whole(detail::Operation::batch_norm_statistics, arguments,
                       {statistics.impl().get(), &x, mean.impl().get(), var.impl().get()}, x.numel);
  finish_running(running_mean, mean);
  finish_running(running_var, var);
  // PyTorch keeps the mean and the factor in the dtype of the input.
  return isReducedFloatingType(x.dtype) ? statistics.to(x.dtype).to(kDouble) : statistics;
}

Tensor running_statistics(const TensorImpl& x, const Tensor& running_mean, const Tensor& running_var, double eps) {
  const Tensor mean = detail::row_major(running_mean);
  const Tensor var = detail::row_major(running_var);
  Tensor statistics = detail::make_tensor({{2, x.sizes[1]}, 2}, kDouble, x.device(), false, "batch_norm");
  auto arguments = detail::one_dimension(x.sizes[1]);
  arguments.parameters[0].real = eps;
  detail::launch_whole(detail::Operation::batch_norm_running, arguments,
                       {statistics.impl().get(), mean.impl().get(), var.impl().get()}, x.sizes[1]);
  return statistics;
}

/// Of an input without elements, as in PyTorch: the parameters get gradients of 0.
Tensor batch_norm_of_nothing(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  Tensor result = input.clone();
  if (weight.defined()) result = result * weight[0];
  if (bias.defined()) result = result + bias[0];
  return result;
}

}  // namespace

Tensor batch_norm(const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
                  const Tensor& running_var, bool training, double momentum, double eps, bool /*cudnn_enabled*/) {
  const TensorImpl& impl = detail::impl_of(input, "batch_norm");
  if (impl.sizes.count < 2) {
    fail<ShapeError>("batch_norm", fmt::format("expected at least 2D input (got {}D input)", impl.sizes.count),
                     detail::operands({{"input", &impl}}), "its second dimension is that of the channels");
  }
  const BatchNormOperands given{
      impl, detail::optional_impl(weight, "batch_norm"), detail::optional_impl(bias, "batch_norm"),
      detail::optional_impl(running_mean, "batch_norm"), detail::optional_impl(running_var, "batch_norm")};
  if (impl.numel == 0) return batch_norm_of_nothing(input, weight, bias);
  check_batch_norm(given, training);

  const Tensor x = detail::row_major(input);
  const Tensor w = weight.defined() ? detail::row_major(weight) : Tensor();
  const Tensor b = bias.defined() ? detail::row_major(bias) : Tensor();
  const Tensor statistics = training ? batch_statistics(*x.impl(), running_mean, running_var, momentum, eps)
                                     : running_statistics(impl, running_mean, running_var, eps);
  auto result = detail::make_tensor(impl.sizes, impl.dtype, impl.device(), false, "batch_norm");
  auto arguments = detail::lines_along(impl.sizes, 1);
  arguments.parameters[0].integer = (w.defined() ? backend::has_weight : 0) | (b.defined() ? backend::has_bias : 0);
  detail::launch_whole(detail::Operation::batch_norm, arguments,
                       {result.impl().get(), x.impl().get(), statistics.impl().get(), w.impl().get(), b.impl().get()},
                       impl.numel);
  if (!detail::is_any_recorded({&input, &weight, &bias})) return result;
  auto record = detail::record_defined(detail::Recorded::NativeBatchNormBackward0, input, weight, bias);
  detail::save(*record, 0, input);
  if (weight.defined()) detail::save(*record, 1, weight);
  detail::save(*record, 2, statistics);
  record->state = BatchNormState{training};
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace d2l

namespace d2l::detail::derivatives {

void NativeBatchNormBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor weight = saved_or_undefined(operation, 1);
  set_normalisation(operation,
                    batch_norm_gradients(g, {operation.saved(0), weight, operation.saved(2)},
                                         state_of<BatchNormState>(operation).trains, operation.wants(0)),
                    results);
}

}  // namespace d2l::detail::derivatives
