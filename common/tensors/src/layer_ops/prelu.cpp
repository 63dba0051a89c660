// SPDX-License-Identifier: MIT
// prelu: a slope below 0 that is learned.
#include <fmt/format.h>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "core/messages.h"
#include "d2l/layer_ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/operands.h"

namespace d2l {

using detail::CastRule;
using detail::fail;
using detail::impl_of;
using detail::Recorded;
using detail::TensorImpl;

namespace {

/// The weights in the shape that broadcasts to x: those of channels along the second dimension.
Tensor weights_of_channels(const Tensor& x, const Tensor& weight) {
  const std::int64_t dims = x.dim();
  if (dims < 2 || weight.numel() == 1) return weight.dim() == 0 || dims > 0 ? weight : weight.view({});
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(dims), 1);
  sizes[1] = weight.numel();
  return weight.view(sizes);
}

void check_prelu(const TensorImpl& x, const TensorImpl& weight) {
  const auto both = detail::operands({{"x", &x}, {"weight", &weight}});
  if (x.dtype != weight.dtype) {
    fail<TypeError>(
        "prelu",
        fmt::format("prelu: Type promoting not supported. Got {} and {}", toString(x.dtype), toString(weight.dtype)),
        both, "convert them to one dtype");
  }
  detail::check_floating(x, "prelu", "prelu_cpu");
  detail::same_device("prelu", {&x, &weight}, {"x", "weight", ""});
  if (weight.sizes.count > 1) {
    fail<ShapeError>(
        "prelu",
        fmt::format("prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {}", weight.sizes.count),
        both, "give one weight, or one for each channel");
  }
  const std::int64_t channels = x.sizes.count > 1 ? x.sizes[1] : 1;
  if (weight.numel == 1 || (x.sizes.count > 0 && weight.numel == channels)) return;
  if (x.sizes.count == 0) {
    fail<ShapeError>("prelu", "Not allow zero-dim input tensor.", both, "give one weight");
  }
  fail<ShapeError>(
      "prelu",
      fmt::format("Mismatch of parameter numbers and input channel size. Found parameter numbers = {} and channel size "
                  "= {}.",
                  weight.numel, channels),
      both, "give one weight, or one for each channel");
}

}  // namespace

Tensor prelu(const Tensor& x, const Tensor& weight) {
  if (detail::autocasts(CastRule::low, x)) {
    const auto converted = [&](const Tensor& y, const Tensor& w) { return prelu(y, w); };
    return detail::with_casts(CastRule::low, converted, x, weight);
  }
  check_prelu(impl_of(x, "prelu"), impl_of(weight, "prelu"));
  const Tensor slopes = weights_of_channels(x, weight);
  Tensor result = detail::unrecorded([&] { return where(x.gt(0), x, x * slopes); });
  if (!detail::is_recorded(x, slopes)) return result;
  auto record = detail::record(Recorded::PreluKernelBackward0, {&x, &slopes});
  detail::save(*record, 0, x);
  detail::save(*record, 1, slopes);
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace d2l

namespace d2l::detail::derivatives {

void PreluKernelBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const Tensor above = x.gt(0);
  if (operation.wants(0)) results[0] = where(above, g, g * operation.saved(1));
  if (operation.wants(1)) results[1] = where(above, 0, g * x);
}

}  // namespace d2l::detail::derivatives
