// SPDX-License-Identifier: MIT
// Factories: constants, ranges and random numbers.
#include "d2l/factories.h"

#include <fmt/format.h>

#include <cmath>

#include "d2l/autograd.h"
#include "ops/elementwise_launch.h"
#include "ops/random_state.h"
#include "runtime/runtime.h"
#include "values/number_range.h"

namespace d2l {

using backend::Operation;
using detail::impl_of;
using detail::TensorImpl;

namespace {

Tensor make(IntArrayRef sizes, const TensorOptions& options, const char* operation) {
  for (const auto size : sizes) {
    if (size >= 0) continue;
    detail::fail<ShapeError>(
        operation, fmt::format("Trying to create tensor with negative dimension {}: {}", size, detail::text(sizes)), {},
        "sizes are 0 or more");
  }
  const Device device = options.device();
  if (options.pinned_memory() && !device.is_cpu()) {
    detail::fail<DeviceError>(operation, "Only dense CPU tensors can be pinned",
                              fmt::format("(asked for pinned memory on {})", device.str()),
                              "leave out pinned_memory, or make it on the CPU");
  }
  return detail::with_gradient(detail::make_tensor(detail::dimensions(sizes, operation), options.dtype(), device,
                                                   options.pinned_memory(), operation),
                               options);
}

Tensor filled(IntArrayRef sizes, const Scalar& value, const TensorOptions& options, const char* operation) {
  auto out = make(sizes, options, operation);
  detail::fill(*out.impl(), value);
  return out;
}

Tensor random(Operation operation, IntArrayRef sizes, const TensorOptions& options) {
  const auto type = options.dtype();
  if (!isFloatingType(type)) {
    detail::fail<TypeError>(
        info(operation).name,
        fmt::format("\"{}\" not implemented for '{}'",
                    operation == Operation::rand ? "check_uniform_bounds" : "normal_kernel_cpu", toString(type)),
        {}, "random numbers are floating point");
  }
  auto out = make(sizes, options, info(operation).name);
  const TensorImpl& impl = *out.impl();
  if (impl.numel == 0) return out;
  const auto range = detail::take_random(impl.numel);
  auto arguments = detail::one_dimension(impl.numel);
  arguments.parameters[0].integer = static_cast<std::int64_t>(range.seed);
  arguments.parameters[1].integer = static_cast<std::int64_t>(range.offset);
  detail::launch_whole(operation, arguments, {&impl}, impl.numel);
  return out;
}

TensorOptions options_like(const Tensor& like, const TensorOptions& options, const char* operation) {
  const TensorImpl& impl = impl_of(like, operation);
  return TensorOptions()
      .dtype(options.has_dtype() ? options.dtype() : impl.dtype)
      .device(options.has_device() ? options.device() : impl.device())
      .pinned_memory(options.pinned_memory())
      .requires_grad(options.requires_grad());
}

// arange

std::string text_of(const Scalar& value) {
  return value.isFloatingPoint() ? fmt::format("{:g}", value.toDouble()) : fmt::format("{}", value.toLong());
}

void check_bounds(const Scalar& start, const Scalar& end, double step) {
  if (!(step > 0 || step < 0)) {
    detail::fail<ValueError>("arange", "step must be nonzero", {}, "give a step above or below 0");
  }
  if (!std::isfinite(start.toDouble()) || !std::isfinite(end.toDouble())) {
    detail::fail<ValueError>("arange", fmt::format("unsupported range: {} -> {}", text_of(start), text_of(end)), {},
                             "give finite bounds");
  }
  if (step > 0 ? end.toDouble() < start.toDouble() : end.toDouble() > start.toDouble()) {
    detail::fail<ValueError>("arange", "upper bound and lower bound inconsistent with step sign",
                             fmt::format("({} -> {})", text_of(start), text_of(end)),
                             "count down with a negative step, or exchange the bounds");
  }
}

[[noreturn]] void fail_size() {
  detail::fail<ShapeError>("arange", "invalid size, possible overflow?", {}, "take a larger step");
}

/// The count of numbers from `start` to before `end`; exact if all are integers, else a quotient of doubles.
std::int64_t count_numbers(const Scalar& start, const Scalar& end, const Scalar& step, ScalarType dtype) {
  if (dtype == kLong && start.isIntegral(false) && end.isIntegral(false) && step.isIntegral(false)) {
    const bool up = step.toLong() > 0;
    const auto distance = static_cast<std::uint64_t>(up ? end.toLong() : start.toLong()) -
                          static_cast<std::uint64_t>(up ? start.toLong() : end.toLong());
    const auto stride = up ? static_cast<std::uint64_t>(step.toLong()) : -static_cast<std::uint64_t>(step.toLong());
    const auto count = distance / stride + (distance % stride != 0 ? 1 : 0);
    if (count >> 62U != 0) fail_size();
    return static_cast<std::int64_t>(count);
  }
  const double count = std::ceil((end.toDouble() - start.toDouble()) / step.toDouble());
  if (count >= 0x1p62) fail_size();
  return static_cast<std::int64_t>(count);
}

}  // namespace

Tensor empty(IntArrayRef sizes, const TensorOptions& options) { return make(sizes, options, "empty"); }
Tensor zeros(IntArrayRef sizes, const TensorOptions& options) { return filled(sizes, 0, options, "zeros"); }
Tensor ones(IntArrayRef sizes, const TensorOptions& options) { return filled(sizes, 1, options, "ones"); }

Tensor full(IntArrayRef sizes, Scalar value, const TensorOptions& options) {
  const auto own = value.isFloatingPoint() ? kFloat : value.type();
  const auto complete = options.has_dtype() ? options : options.dtype(own);
  detail::check_representable(value, complete.dtype(), "full");
  return filled(sizes, value, complete, "full");
}

Tensor rand(IntArrayRef sizes, const TensorOptions& options) {
  if (!isReducedFloatingType(options.dtype())) return random(Operation::rand, sizes, options);
  // A float below 1 may round to 1. As in PyTorch, the numbers are multiples of the spacing below 1.
  const double steps = options.dtype() == kHalf ? 2048 : 256;
  const NoGradGuard unrecorded;
  const Tensor numbers = random(Operation::rand, sizes, TensorOptions(kFloat).device(options.device())).mul_(steps);
  Tensor out = make(sizes, options, "rand");
  detail::copy_within_device(*out.impl(), *numbers.floor().div_(steps).impl());
  return out;
}
Tensor randn(IntArrayRef sizes, const TensorOptions& options) { return random(Operation::randn, sizes, options); }

Tensor arange(Scalar start, Scalar end, Scalar step, const TensorOptions& options) {
  const bool whole = start.isIntegral(true) && end.isIntegral(true) && step.isIntegral(true);
  const ScalarType dtype = options.has_dtype() ? options.dtype() : (whole ? kLong : kFloat);
  if (dtype == kBool) {
    detail::fail<TypeError>("arange", "\"arange_cpu\" not implemented for 'Bool'", {}, "choose a dtype of numbers");
  }
  check_bounds(start, end, step.toDouble());
  const auto count = count_numbers(start, end, step, dtype);
  auto out = empty({count}, options.dtype(dtype));
  if (count == 0) return out;

  auto arguments = detail::one_dimension(count);
  arguments.parameters[0] = {start.toDouble(), start.toLong()};
  arguments.parameters[1] = {step.toDouble(), step.toLong()};
  detail::launch_whole(Operation::arange, arguments, {out.impl().get()}, count);
  return out;
}

Tensor arange(Scalar start, Scalar end, const TensorOptions& options) { return arange(start, end, 1, options); }
Tensor arange(Scalar end, const TensorOptions& options) { return arange(0, end, 1, options); }

#define D2L_LIKE(name)                                                   \
  Tensor name##_like(const Tensor& like, const TensorOptions& options) { \
    const auto complete = options_like(like, options, #name "_like");    \
    return name(like.sizes(), complete);                                 \
  }
D2L_LIKE(empty)
D2L_LIKE(zeros)
D2L_LIKE(ones)
D2L_LIKE(rand)
D2L_LIKE(randn)
#undef D2L_LIKE
Tensor full_like(const Tensor& like, Scalar value, const TensorOptions& options) {
  const auto complete = options_like(like, options, "full_like");
  return full(like.sizes(), value, complete);
}

void manual_seed(std::uint64_t seed) { detail::set_random_state({seed, 0}); }

}  // namespace d2l
