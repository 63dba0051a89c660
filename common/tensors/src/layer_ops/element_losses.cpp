// SPDX-License-Identifier: MIT
// Losses of each element with a target of its shape: l1_loss, smooth_l1_loss, huber_loss and
// binary_cross_entropy_with_logits.
#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "d2l/layer_ops.h"
#include "layer_ops/losses.h"
#include "ops/arithmetic_rules.h"
#include "ops/elementwise_launch.h"
#include "ops/operands.h"
#include "ops/promotion.h"

namespace d2l {

using detail::Argument;
using detail::CastRule;
using detail::fail;
using detail::impl_of;
using detail::Operation;
using detail::Recorded;
using detail::TensorImpl;

namespace {

struct HuberState {
  std::int64_t reduction;
  double delta;
  double divisor;
};
struct LogitsState {
  std::int64_t reduction;
};

/// The Huber loss with `delta`, divided by `divisor`. `kernel` is the name of PyTorch's kernel. The result has the
/// dtype `kept`, or the one in which the loss is computed.
Tensor huber_of(const char* operation, Recorded kind, const char* kernel, const Tensor& input, const Tensor& target,
                std::int64_t reduction, double delta, double divisor, std::optional<ScalarType> kept = std::nullopt) {
  const TensorImpl& x = *input.impl();
  const TensorImpl& y = *target.impl();
  const auto sizes = detail::broadcast_shapes(x, y, operation);
  const auto device = detail::common_device(operation, {&x, &y});
  const auto type = x.dtype == y.dtype ? x.dtype : detail::result_type(input, target);
  if (!isFloatingType(type)) detail::check_floating(x.dtype == type ? x : y, operation, kernel);
  if (kept && !isFloatingType(*kept)) {
    fail<TypeError>(
        operation,
        fmt::format("result type {} can't be cast to the desired output type {}", toString(type), toString(*kept)),
        detail::operands({{"input", &x}, {"target", &y}}), "convert the input to the dtype of the target");
  }
  const Tensor losses = detail::make_tensor(sizes, kept.value_or(type), device, false, operation);
  detail::choice_into(Operation::huber, *losses.impl(), {x, y, Scalar(delta), Scalar(divisor)}, type);
  Tensor result = detail::reduced_loss(losses, reduction);
  if (!detail::is_recorded(input, target)) return result;
  auto record = detail::record(kind, {&input, &target});
  detail::save(*record, 0, input);
  detail::save(*record, 1, target);
  record->state = HuberState{reduction, delta, divisor};
  detail::attach(result, std::move(record));
  return result;
}

/// "[2, 3]", as PyTorch prints a size in Python: "torch.Size([2, 3])".
std::string python_size(const TensorImpl& x) { return "torch.Size(" + detail::text(x.sizes.ref()) + ")"; }

constexpr const char* logits_name = "binary_cross_entropy_with_logits";

/// Checks in PyTorch's order: log_sigmoid(input), then (1 − target).mul_(input).
void check_logits(const Tensor& input, const Tensor& target) {
  const TensorImpl& x = *input.impl();
  const TensorImpl& y = *target.impl();
  const auto both = detail::operands({{"input", &x}, {"target", &y}});
  if (!same(x.sizes, y.sizes)) {
    fail<ShapeError>(
        logits_name,
        fmt::format("Target size ({}) must be the same as input size ({})", python_size(y), python_size(x)), both,
        "give each element a target");
  }
  detail::check_floating(x, logits_name, "log_sigmoid_cpu");
  detail::check_subtraction(Operation::sub, kFloat, y.dtype);
  if (!isFloatingType(y.dtype)) {
    fail<TypeError>(
        logits_name,
        fmt::format("result type {} can't be cast to the desired output type {}", toString(x.dtype), toString(y.dtype)),
        both, "the target holds probabilities: convert it with to(kFloat)");
  }
  static_cast<void>(detail::common_device(logits_name, {&x, &y}));
}

/// A factor of the losses, which must not make them larger.
void check_logits_factor(const TensorImpl& losses, const Tensor& factor, const char* name) {
  if (!factor.defined()) return;
  const TensorImpl& given = impl_of(factor, logits_name);
  detail::check_not_differentiable(factor, logits_name, name);
  const auto shape = detail::broadcast_shapes(losses, given, logits_name);
  if (!same(shape, losses.sizes)) {
    fail<ShapeError>(logits_name,
                     fmt::format("output with shape {} doesn't match the broadcast shape {}",
                                 detail::text(losses.sizes.ref()), detail::text(shape.ref())),
                     detail::operands({{"input", &losses}, {name, &given}}), "give it one of the input's dimensions");
  }
  static_cast<void>(detail::common_device(logits_name, {&losses, &given}));
}

}  // namespace

Tensor l1_loss(const Tensor& input, const Tensor& target, std::int64_t reduction) {
  if (detail::autocasts(CastRule::full, input)) {
    const auto converted = [&](const Tensor& x, const Tensor& y) { return l1_loss(x, y, reduction); };
    return detail::with_casts(CastRule::full, converted, input, target);
  }
  impl_of(input, "l1_loss");
  impl_of(target, "l1_loss");
  detail::check_reduction(reduction, "l1_loss");
  return detail::reduced_loss((input - target).abs(), reduction);
}

Tensor huber_loss(const Tensor& input, const Tensor& target, std::int64_t reduction, double delta) {
  if (detail::autocasts(CastRule::full, input)) {
    const auto converted = [&](const Tensor& x, const Tensor& y) { return huber_loss(x, y, reduction, delta); };
    return detail::with_casts(CastRule::full, converted, input, target);
  }
  impl_of(input, "huber_loss");
  impl_of(target, "huber_loss");
  detail::check_reduction(reduction, "huber_loss");
  if (!(delta > 0)) {
    fail<ValueError>("huber_loss", "huber_loss does not support non-positive values for delta.", {},
                     "give the difference from which the loss is linear");
  }
  return huber_of("huber_loss", Recorded::HuberLossBackward0, "huber_cpu", input, target, reduction, delta, 1,
                  input.dtype());
}

Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, std::int64_t reduction, double beta) {
  if (detail::autocasts(CastRule::full, input)) {
    const auto converted = [&](const Tensor& x, const Tensor& y) { return smooth_l1_loss(x, y, reduction, beta); };
    return detail::with_casts(CastRule::full, converted, input, target);
  }
  impl_of(input, "smooth_l1_loss");
  impl_of(target, "smooth_l1_loss");
  detail::check_reduction(reduction, "smooth_l1_loss");
  if (!(beta >= 0)) {
    fail<ValueError>("smooth_l1_loss", "smooth_l1_loss does not support negative values for beta.", {},
                     "give the difference from which the loss is linear");
  }
  // A float32 kernel cannot divide by a beta that is 0 there, and below it no difference is smaller than beta.
  if (static_cast<float>(beta) < std::numeric_limits<float>::min()) return l1_loss(input, target, reduction);
  return huber_of("smooth_l1_loss", Recorded::SmoothL1LossBackward0, "smooth_l1_cpu", input, target, reduction, beta,
                  beta);
}

Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target, const Tensor& weight,
                                        const Tensor& pos_weight, std::int64_t reduction) {
  if (detail::autocasts(CastRule::full, input)) {
    const auto converted = [&](const Tensor& x, const Tensor& y, const Tensor& w, const Tensor& p) {
      return binary_cross_entropy_with_logits(x, y, w, p, reduction);
    };
    return detail::with_casts(CastRule::full, converted, input, target, weight, pos_weight);
  }
  const TensorImpl& x = impl_of(input, logits_name);
  const TensorImpl& y = impl_of(target, logits_name);
  detail::check_reduction(reduction, logits_name);
  check_logits(input, target);
  check_logits_factor(x, weight, "weight");
  check_logits_factor(x, pos_weight, "pos_weight");
  const Tensor losses =
      detail::make_tensor(x.sizes, y.dtype, detail::common_device(logits_name, {&x, &y}), false, logits_name);
  const Argument positive = pos_weight.defined() ? Argument(*pos_weight.impl()) : Argument(Scalar(1));
  detail::choice_into(Operation::logits_cross_entropy, *losses.impl(), {x, y, positive},
                      promoteTypes(x.dtype, y.dtype));
  if (weight.defined()) detail::unrecorded([&] { return Tensor(losses).mul_(weight); });
  Tensor result = detail::reduced_loss(losses, reduction);
  if (!detail::is_recorded(input, target)) return result;
  auto record = detail::record(Recorded::BinaryCrossEntropyWithLogitsBackward0, {&input, &target});
  detail::save(*record, 0, input);
  detail::save(*record, 1, target);
  if (weight.defined()) detail::save(*record, 2, weight);
  if (pos_weight.defined()) detail::save(*record, 3, pos_weight);
  record->state = LogitsState{reduction};
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace d2l

namespace d2l::detail::derivatives {

namespace {

/// g by each loss: divided by their number if the result is their mean.
Tensor of_each(const Tensor& g, std::int64_t reduction, std::int64_t count) {
  return reduction == Reduction::Mean ? g / static_cast<double>(count) : g;
}

/// The difference within ±delta, divided by the divisor: the slope of a parabola, and of the lines beyond it.
void huber_slope(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& input = operation.saved(0);
  const Tensor& target = operation.saved(1);
  const Tensor difference = input - converted(target, promoteTypes(input.dtype(), target.dtype()));
  const auto& [reduction, delta, divisor] = state_of<HuberState>(operation);
  const Tensor scale = of_each(g, reduction, difference.numel()) / divisor;
  const Tensor slope = difference.clamp(-delta, delta) * scale;
  if (operation.wants(0)) results[0] = slope;
  if (operation.wants(1)) results[1] = -slope;
}

}  // namespace

void HuberLossBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& input = operation.saved(0);
  const Tensor& target = operation.saved(1);
  if (input.dtype() != target.dtype()) {  // PyTorch has the loss of two dtypes, but not its gradient
    const bool by_input = operation.wants(0);
    fail<TypeError>("huber_loss",
                    fmt::format("Found dtype {} but expected {}", toString((by_input ? target : input).dtype()),
                                toString((by_input ? input : target).dtype())),
                    operands({{"input", input.impl().get()}, {"target", target.impl().get()}}),
                    "convert the target to the dtype of the input");
  }
  huber_slope(operation, g, results);
}

void SmoothL1LossBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  huber_slope(operation, g, results);
}

void BinaryCrossEntropyWithLogitsBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const Tensor& target = operation.saved(1);
  const bool weighted = operation.saved_tensors[3].tensor.defined();
  Tensor scale = of_each(g, state_of<LogitsState>(operation).reduction, x.numel());
  if (operation.saved_tensors[2].tensor.defined()) scale = scale * operation.saved(2);
  if (operation.wants(0)) {
    const Tensor positive = weighted ? operation.saved(3) * target : target;
    // The sum of both targets' weights is 1 unless the positive ones have a weight of their own.
    const Tensor sigmoid = weighted ? (positive + 1 - target) * x.sigmoid() : x.sigmoid();
    results[0] = (sigmoid - positive) * scale;
  }
  if (operation.wants(1)) {
    // softplus(−x) is −log σ(x); beyond the threshold, what it leaves out is smaller than a rounding.
    const Tensor slope = weighted ? operation.saved(3) * softplus(-x, 1, 40) - softplus(x, 1, 40) : -x;
    results[1] = slope * scale;
  }
}

}  // namespace d2l::detail::derivatives
