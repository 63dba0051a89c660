// SPDX-License-Identifier: MIT
// clamp, clamp_min and clamp_max, by numbers and by tensors, each also in place.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "autograd/recording.h"
#include "d2l/ops.h"
#include "ops/elementwise_launch.h"
#include "ops/operands.h"
#include "ops/promotion.h"
#include "tensor/in_place.h"

namespace d2l {

using detail::fail;
using detail::impl_of;
using detail::Operation;
using detail::Recorded;
using detail::TensorImpl;

namespace {

using MaybeTensor = std::optional<Tensor>;
using MaybeScalar = std::optional<Scalar>;

/// Which member is called, and its derivatives.
struct Clamp {
  const char* name;
  Recorded by_tensors;
  Recorded by_numbers;
};
constexpr Clamp clamp_both{"clamp", Recorded::ClampBackward0, Recorded::ClampBackward1};
constexpr Clamp clamp_low{"clamp_min", Recorded::ClampMinBackward1, Recorded::ClampMinBackward0};
constexpr Clamp clamp_high{"clamp_max", Recorded::ClampMaxBackward1, Recorded::ClampMaxBackward0};

template <class Bound>
void check_bounds(const Bound& min, const Bound& max) {
  if (min || max) return;
  fail<ValueError>("clamp", "torch.clamp: At least one of 'min' or 'max' must not be None", {},
                   "give a bound: clamp(0), or clamp(std::nullopt, 1)");
}

[[noreturn]] void fail_bool(const Clamp& clamp, const char* kernel) {
  fail<TypeError>(clamp.name, fmt::format("\"{}\" not implemented for 'Bool'", kernel), {},
                  "convert it first, for example x.to(kLong)");
}

// By numbers.

bool is_nan(const MaybeScalar& number) { return number && number->toDouble() != number->toDouble(); }

template <class T>
std::pair<Scalar, Scalar> range_of() {
  return {std::int64_t{std::numeric_limits<T>::lowest()}, std::int64_t{std::numeric_limits<T>::max()}};
}

/// The bounds in place of absent ones.
std::pair<Scalar, Scalar> range_of(ScalarType type) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (isFloatingType(type)) return {-infinity, infinity};
  if (type == kByte) return range_of<std::uint8_t>();
  return type == kInt ? range_of<std::int32_t>() : range_of<std::int64_t>();
}

[[noreturn]] void fail_bound(const Clamp& clamp, const char* which, const Scalar& bound, ScalarType type) {
  fail<ValueError>(clamp.name,
                   fmt::format("Clamp {} value {:g} is outside the representable range of {}", which, bound.toDouble(),
                               toString(type)),
                   {}, "give a bound that an element can have, or convert the tensor first");
}

/// ValueError for a bound of integers beyond which no element is. A bound beyond the range on the other side changes
/// nothing.
void check_range(const Clamp& clamp, ScalarType type, const MaybeScalar& min, const MaybeScalar& max) {
  const auto [lowest, highest] = range_of(type);
  if (min && min->toLong() > highest.toLong()) fail_bound(clamp, "min", *min, type);
  if (max && max->toLong() < lowest.toLong()) fail_bound(clamp, "max", *max, type);
}

/// The dtype of the result; TypeError for bool.
struct ClampState {
  Scalar min;
  Scalar max;
};

ScalarType clamped_type(const Clamp& clamp, const Tensor& x, const MaybeScalar& min, const MaybeScalar& max) {
  auto type = x.impl()->dtype;
  if (min) type = detail::result_type(type, *min);
  if (max) type = detail::result_type(type, *max);
  if (type == kBool) fail_bool(clamp, min && max ? "clamp_scalar_cpu" : min ? "clamp_min_cpu" : "clamp_max_scalar_cpu");
  if (!isFloatingType(type)) check_range(clamp, type, min, max);
  return type;
}

/// The shape and the device of the result.
using ShapeAndDevice = std::pair<detail::Dimensions, Device>;

ShapeAndDevice shape_and_device_of(const Clamp& /*clamp*/, const Tensor& x, const MaybeScalar& /*min*/,
                                   const MaybeScalar& /*max*/) {
  return {x.impl()->sizes, x.impl()->device()};
}

void clamp_into(const Clamp& clamp, const TensorImpl& out, const Tensor& x, MaybeScalar min, MaybeScalar max,
                ScalarType type) {
  // As in PyTorch, clamp() ignores a bound that is NaN if it is the only one.
  const bool one_bound = !min || !max;
  if (&clamp == &clamp_both && one_bound && (is_nan(min) || is_nan(max))) min = max = std::nullopt;
  const auto [lowest, highest] = range_of(type);
  Scalar low = min.value_or(lowest);
  Scalar high = max.value_or(highest);
  if (!isFloatingType(type)) {
    low = std::max(low.toLong(), lowest.toLong());
    high = std::min(high.toLong(), highest.toLong());
  }
  detail::choice_into(Operation::clamp, out, {*x.impl(), low, high}, type);
}

detail::Record record_of(const Clamp& clamp, const Tensor& x, const MaybeScalar& min, const MaybeScalar& max) {
  if (!detail::is_recorded(x)) return nullptr;
  auto record = detail::record(clamp.by_numbers, {&x});
  detail::save(*record, 0, x);
  const auto [lowest, highest] = range_of(kDouble);
  record->state = ClampState{min.value_or(lowest), max.value_or(highest)};
  return record;
}

void check_written(const Clamp& /*clamp*/, const TensorImpl& /*out*/, const MaybeScalar& /*bound*/) {}
MaybeScalar readable(const Clamp& /*clamp*/, const MaybeScalar& bound, const TensorImpl& /*out*/) { return bound; }

// By tensors.

const TensorImpl* bound_of(const Clamp& clamp, const MaybeTensor& bound) {
  return bound ? &impl_of(*bound, clamp.name) : nullptr;
}

ScalarType clamped_type(const Clamp& clamp, const Tensor& x, const MaybeTensor& min, const MaybeTensor& max) {
  for (const auto* bound : {&min, &max}) bound_of(clamp, *bound);
  if (!min || !max) return detail::result_type({&x, min ? &*min : &*max});
  const auto type = detail::result_type({&x, &*min, &*max});
  if (type == kBool) fail_bool(clamp, "clamp_cpu");
  return type;
}

ShapeAndDevice shape_and_device_of(const Clamp& clamp, const Tensor& x, const MaybeTensor& min,
                                   const MaybeTensor& max) {
  const auto place = [&clamp](std::initializer_list<const TensorImpl*> all) {
    const auto shape = detail::broadcast_shapes(clamp.name, all);
    return ShapeAndDevice(shape, detail::common_device(clamp.name, all));
  };
  const TensorImpl* own = x.impl().get();
  const TensorImpl* low = bound_of(clamp, min);
  const TensorImpl* high = bound_of(clamp, max);
  return low != nullptr && high != nullptr ? place({own, low, high}) : place({own, low != nullptr ? low : high});
}

void clamp_into(const Clamp& /*clamp*/, const TensorImpl& out, const Tensor& x, const MaybeTensor& min,
                const MaybeTensor& max, ScalarType type) {
  if (min && max) {
    detail::choice_into(Operation::clamp, out, {*x.impl(), *min->impl(), *max->impl()}, type);
  } else {
    const TensorImpl& bound = min ? *min->impl() : *max->impl();
    detail::elementwise_into(min ? Operation::maximum : Operation::minimum, out, *x.impl(), bound, type);
  }
}

detail::Record record_of(const Clamp& clamp, const Tensor& x, const MaybeTensor& min, const MaybeTensor& max) {
  const bool recorded = (min && detail::is_recorded(*min)) || (max && detail::is_recorded(*max));
  if (!detail::is_recorded(x) && !recorded) return nullptr;
  auto record = detail::record(clamp.by_tensors, {&x, min ? &*min : nullptr, max ? &*max : nullptr});
  detail::save(*record, 0, x);
  if (min) detail::save(*record, 1, *min);
  if (max) detail::save(*record, 2, *max);
  return record;
}

void check_written(const Clamp& clamp, const TensorImpl& out, const MaybeTensor& bound) {
  if (!bound) return;
  detail::check_written_shape(clamp.name, out, {bound->impl().get()});
  detail::check_written_device(clamp.name, out, *bound->impl());
}

/// The bound, or a copy of it if `out` may overlap it.
MaybeTensor readable(const Clamp& clamp, const MaybeTensor& bound, const TensorImpl& out) {
  if (!bound) return bound;
  Tensor kept;
  return detail::safe_to_read(*bound, out, clamp.name, kept);
}

// Both.

template <class Bound>
Tensor clamped(const Clamp& clamp, const Tensor& x, const Bound& min, const Bound& max) {
  impl_of(x, clamp.name);
  check_bounds(min, max);
  const auto type = clamped_type(clamp, x, min, max);
  const auto [shape, device] = shape_and_device_of(clamp, x, min, max);
  Tensor result = detail::make_tensor(shape, type, device, false, clamp.name);
  clamp_into(clamp, *result.impl(), x, min, max, type);
  if (auto record = record_of(clamp, x, min, max)) detail::attach(result, std::move(record));
  return result;
}

template <class Bound>
Tensor& clamp_in_place(const Clamp& clamp, Tensor& x, const Bound& min, const Bound& max) {
  const TensorImpl& out = detail::writable(x, clamp.name);
  check_bounds(min, max);
  const auto type = clamped_type(clamp, x, min, max);
  const Bound low = readable(clamp, min, out);
  const Bound high = readable(clamp, max, out);
  check_written(clamp, out, min);
  check_written(clamp, out, max);
  detail::check_written_type(clamp.name, out, type);
  auto record = record_of(clamp, x, min, max);
  if (record != nullptr) keep_overwritten(*record, x);
  clamp_into(clamp, out, x, low, high, type);
  detail::finish_write(x, std::move(record));
  return x;
}

const MaybeScalar no_number;
const MaybeTensor no_tensor;

}  // namespace

Tensor Tensor::clamp(std::optional<Scalar> min, std::optional<Scalar> max) const {
  return clamped(clamp_both, *this, min, max);
}
Tensor Tensor::clamp(const std::optional<Tensor>& min, const std::optional<Tensor>& max) const {
  return clamped(clamp_both, *this, min, max);
}
Tensor Tensor::clamp_min(Scalar min) const { return clamped(clamp_low, *this, MaybeScalar(min), no_number); }
Tensor Tensor::clamp_min(const Tensor& min) const { return clamped(clamp_low, *this, MaybeTensor(min), no_tensor); }
Tensor Tensor::clamp_max(Scalar max) const { return clamped(clamp_high, *this, no_number, MaybeScalar(max)); }
Tensor Tensor::clamp_max(const Tensor& max) const { return clamped(clamp_high, *this, no_tensor, MaybeTensor(max)); }

Tensor& Tensor::clamp_(std::optional<Scalar> min, std::optional<Scalar> max) {
  return clamp_in_place(clamp_both, *this, min, max);
}
Tensor& Tensor::clamp_(const std::optional<Tensor>& min, const std::optional<Tensor>& max) {
  return clamp_in_place(clamp_both, *this, min, max);
}
Tensor& Tensor::clamp_min_(Scalar min) { return clamp_in_place(clamp_low, *this, MaybeScalar(min), no_number); }
Tensor& Tensor::clamp_min_(const Tensor& min) { return clamp_in_place(clamp_low, *this, MaybeTensor(min), no_tensor); }
Tensor& Tensor::clamp_max_(Scalar max) { return clamp_in_place(clamp_high, *this, no_number, MaybeScalar(max)); }
Tensor& Tensor::clamp_max_(const Tensor& max) { return clamp_in_place(clamp_high, *this, no_tensor, MaybeTensor(max)); }

}  // namespace d2l

namespace d2l::detail::derivatives {

namespace {

/// The gradients of x within the bounds, and of the bounds that are tensors.
void clamped_by_tensors(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const bool has_min = operation.saved_tensors[1].tensor.defined();
  const bool has_max = operation.saved_tensors[2].tensor.defined();
  const Tensor min = has_min ? operation.saved(1) : Tensor();
  const Tensor max = has_max ? operation.saved(2) : Tensor();
  if (operation.wants(0)) {
    Tensor inside = has_min ? x.ge(min) : x.le(max);
    if (has_min && has_max) inside = inside.logical_and(x.le(max));
    results[0] = where(inside, g, 0);
  }
  if (has_min && operation.wants(1)) {
    const Tensor below = x.lt(min);
    results[1] = where(has_max ? below.logical_and(min.lt(max)) : below, g, 0);
  }
  if (has_max && operation.wants(2)) {
    const Tensor above = x.gt(max);
    results[2] = where(has_min ? above.logical_or(max.lt(min)) : above, g, 0);
  }
}

/// The gradient of x within bounds that are numbers.
Tensor within(const RecordedOperation& operation, const Tensor& g) {
  const Tensor& x = operation.saved(0);
  const auto& [min, max] = state_of<ClampState>(operation);
  return where(x.ge(min).logical_and(x.le(max)), g, 0);
}

}  // namespace

void ClampBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  clamped_by_tensors(operation, g, results);
}
void ClampMinBackward1(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  clamped_by_tensors(operation, g, results);
}
void ClampMaxBackward1(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  clamped_by_tensors(operation, g, results);
}
D2L_DERIVATIVE(ClampBackward1, within(operation, g))
D2L_DERIVATIVE(ClampMinBackward0, within(operation, g))
D2L_DERIVATIVE(ClampMaxBackward0, within(operation, g))

}  // namespace d2l::detail::derivatives
