// SPDX-License-Identifier: MIT
// mse_loss, and what the losses have in common.
#include "layer_ops/losses.h"

#include <fmt/format.h>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "d2l/layer_ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/elementwise_launch.h"
#include "ops/promotion.h"

namespace d2l {

using detail::CastRule;
using detail::check_floating;
using detail::impl_of;
using detail::Operation;
using detail::TensorImpl;

namespace detail {

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

struct MseState {
  std::int64_t reduction;
};

}  // namespace

Tensor mse_loss(const Tensor& input, const Tensor& target, std::int64_t reduction) {
  if (detail::autocasts(CastRule::full, input)) {
    const auto converted = [&](const Tensor& x, const Tensor& y) { return mse_loss(x, y, reduction); };
    return detail::with_casts(CastRule::full, converted, input, target);
  }
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
  record->state = MseState{reduction};
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace d2l

namespace d2l::detail::derivatives {

void MseLossBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& input = operation.saved(0);
  const Tensor& target = operation.saved(1);
  const Tensor difference = input - converted(target, promoteTypes(input.dtype(), target.dtype()));
  const bool mean = state_of<MseState>(operation).reduction == Reduction::Mean;
  const double factor = mean ? 2.0 / static_cast<double>(difference.numel()) : 2.0;
  const Tensor slope = difference * (g * factor);
  if (operation.wants(0)) results[0] = slope;
  if (operation.wants(1)) results[1] = -slope;
}

}  // namespace d2l::detail::derivatives
