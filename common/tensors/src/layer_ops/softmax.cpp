// SPDX-License-Identifier: MIT
// softmax and log_softmax: values, records and derivatives.
#include "layer_ops/softmax.h"

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "d2l/layer_ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/elementwise_launch.h"

namespace d2l {

using detail::check_floating;
using detail::impl_of;
using detail::Operation;
using detail::TensorImpl;

namespace {

struct SoftmaxState {
  int dim;
};

/// Launches a kernel of the kind softmax along `dim`; `second` is null for softmax and log_softmax themselves.
Tensor along(Operation operation, const Tensor& first, const Tensor* second, int dim) {
  const Tensor a = detail::row_major(first);
  const TensorImpl& impl = *a.impl();
  auto out = detail::make_tensor(impl.sizes, impl.dtype, impl.device(), false, info(operation).name);
  if (impl.numel == 0) return out;
  auto arguments = detail::lines_along(impl.sizes, dim);
  const TensorImpl* other = second == nullptr ? nullptr : second->impl().get();
  detail::launch_whole(operation, arguments, {out.impl().get(), &impl, other}, impl.numel);
  return out;
}

/// softmax or log_softmax, whose kernel has the name `kernel` in PyTorch if `dim` is the last dimension.
Tensor normalised(Operation operation, const Tensor& x, std::int64_t dim, const char* kernel, detail::Recorded kind) {
  if (detail::autocasts(detail::CastRule::full_on_gpu, x)) {
    return detail::with_casts(
        detail::CastRule::full_on_gpu, [&](const Tensor& y) { return normalised(operation, y, dim, kernel, kind); }, x);
  }
  const auto* name = info(operation).name;
  const TensorImpl& impl = impl_of(x, name);
  const int at = detail::wrap_dimension(dim, impl.sizes.count, name);
  check_floating(impl, name, at + 1 >= impl.sizes.count ? kernel : "softmax_kernel_impl");
  auto result = along(operation, x, nullptr, at);
  detail::record_softmax(result, kind, x, at);
  return result;
}

}  // namespace

Tensor detail::safe_softmax(const Tensor& x, int dim) {
  auto result = along(Operation::safe_softmax, x, nullptr, dim);
  record_softmax(result, Recorded::SoftmaxBackward0, x, dim);
  return result;
}

void detail::record_softmax(const Tensor& result, Recorded kind, const Tensor& x, int dim) {
  if (!is_recorded(x)) return;
  auto made = record(kind, {&x});
  save_made(*made, 0, result);
  made->state = SoftmaxState{dim};
  attach(result, std::move(made));
}

Tensor Tensor::softmax(std::int64_t dim) const {
  return normalised(Operation::softmax, *this, dim, "softmax_lastdim_kernel_impl", detail::Recorded::SoftmaxBackward0);
}

Tensor Tensor::log_softmax(std::int64_t dim) const {
  return normalised(Operation::log_softmax, *this, dim, "log_softmax_lastdim_kernel_impl",
                    detail::Recorded::LogSoftmaxBackward0);
}

}  // namespace d2l

namespace d2l::detail::derivatives {

D2L_DERIVATIVE(SoftmaxBackward0,
               along(Operation::softmax_backward, g, &operation.saved(0), state_of<SoftmaxState>(operation).dim))
D2L_DERIVATIVE(LogSoftmaxBackward0,
               along(Operation::log_softmax_backward, g, &operation.saved(0), state_of<SoftmaxState>(operation).dim))

}  // namespace d2l::detail::derivatives
