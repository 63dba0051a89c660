// SPDX-License-Identifier: MIT
// softmax, log_softmax, mse_loss, and what the losses have in common.
#include "layer_ops/losses.h"

#include <fmt/format.h>

#include "autograd/recording.h"
#include "d2l/layer_ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/elementwise_launch.h"
#include "ops/promotion.h"

namespace d2l {

using detail::check_floating;
using detail::impl_of;
using detail::Operation;
using detail::TensorImpl;

namespace detail {

namespace {

/// Launches a kernel of the kind softmax along `dim`; `second` is null for softmax and log_softmax themselves.
Tensor along(Operation operation, const Tensor& first, const Tensor* second, int dim) {
  const Tensor a = row_major(first);
  const TensorImpl& impl = *a.impl();
  auto out = make_tensor(impl.sizes, impl.dtype, impl.device(), false, info(operation).name);
  if (impl.numel == 0) return out;
  auto arguments = lines_along(impl.sizes, dim);
  const TensorImpl* other = second == nullptr ? nullptr : second->impl().get();
  launch_whole(operation, arguments, {out.impl().get(), &impl, other}, impl.numel);
  return out;
}

}  // namespace

Tensor log_softmax_gradient(const Tensor& grad, const Tensor& result, int dim) {
  return along(Operation::log_softmax_backward, grad, &result, dim);
}

Tensor softmax_gradient(const Tensor& grad, const Tensor& result, int dim) {
  return along(Operation::softmax_backward, grad, &result, dim);
}

void check_reduction(std::int64_t reduction, const char* operation) {
  if (reduction >= Reduction::None && reduction <= Reduction::Sum) return;
  fail<ValueError>(operation, fmt::format("{} is not a valid value for reduction", reduction), {},
                   "it is Reduction::None, Reduction::Mean or Reduction::Sum");
}

Tensor reduced_loss(const Tensor& losses, std::int64_t reduction) {
  if (reduction == Reduction::Mean) return losses.mean();
  return reduction == Reduction::Sum ? losses.sum() : losses;
}

void check_not_differentiable(const Tensor& tensor, const char* operation, const char* name) {
  if (!tensor.defined() || !is_recorded(tensor)) return;
  fail<ValueError>(operation,
                   fmt::format("The function '{}' is not differentiable with respect to argument '{}'. This input "
                               "cannot have requires_grad True.",
                               operation, name),
                   operands({{name, tensor.impl().get()}}), "give it detached: detach()");
}

}  // namespace detail

namespace {

/// softmax or log_softmax, whose kernel has the name `kernel` in PyTorch if `dim` is the last dimension.
Tensor normalised(Operation operation, const Tensor& x, std::int64_t dim, const char* kernel, detail::Recorded kind) {
  const auto* name = info(operation).name;
  const TensorImpl& impl = impl_of(x, name);
  const int at = detail::wrap_dimension(dim, impl.sizes.count, name);
  check_floating(impl, name, at + 1 >= impl.sizes.count ? kernel : "softmax_kernel_impl");
  auto result = detail::along(operation, x, nullptr, at);
  if (!detail::is_recorded(x)) return result;
  auto record = detail::record(kind, {&x});
  detail::save_made(*record, 0, result);
  record->integers[0] = at;
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace

Tensor Tensor::softmax(std::int64_t dim) const {
  return normalised(Operation::softmax, *this, dim, "softmax_lastdim_kernel_impl", detail::Recorded::SoftmaxBackward0);
}

Tensor Tensor::log_softmax(std::int64_t dim) const {
  return normalised(Operation::log_softmax, *this, dim, "log_softmax_lastdim_kernel_impl",
                    detail::Recorded::LogSoftmaxBackward0);
}

Tensor mse_loss(const Tensor& input, const Tensor& target, std::int64_t reduction) {
  const TensorImpl& x = impl_of(input, "mse_loss");
  const TensorImpl& y = impl_of(target, "mse_loss");
  detail::check_reduction(reduction, "mse_loss");
  const auto type = x.dtype == y.dtype ? x.dtype : detail::result_type(input, target);
  if (!isFloatingType(type)) check_floating(x, "mse_loss", "mse_cpu");
  auto result =
      detail::elementwise(Operation::squared_difference, detail::Argument(x), detail::Argument(y), type, type);
  result = detail::reduced_loss(result, reduction);
  if (!detail::is_recorded(input, target)) return result;
  auto record = detail::record(detail::Recorded::MseLossBackward0, {&input, &target});
  detail::save(*record, 0, input);
  detail::save(*record, 1, target);
  record->integers[0] = reduction;
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace d2l
