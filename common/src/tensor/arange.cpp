// SPDX-License-Identifier: MIT
// arange: numbers at equal distances.
#include <fmt/format.h>

#include <cmath>

#include "d2l/factories.h"
#include "ops/dispatch.h"

namespace d2l {

namespace {

constexpr const char* operation = "arange";

std::string number(const Scalar& value) {
  return value.isFloatingPoint() ? fmt::format("{:g}", value.toDouble()) : fmt::format("{}", value.toLong());
}

void check_bounds(const Scalar& start, const Scalar& end, double step) {
  if (!(step > 0 || step < 0)) {
    detail::fail<ValueError>(operation, "step must be nonzero", {}, "give a step above or below 0");
  }
  if (!std::isfinite(start.toDouble()) || !std::isfinite(end.toDouble())) {
    detail::fail<ValueError>(operation, fmt::format("unsupported range: {} -> {}", number(start), number(end)), {},
                             "give finite bounds");
  }
  if (step > 0 ? end.toDouble() < start.toDouble() : end.toDouble() > start.toDouble()) {
    detail::fail<ValueError>(operation, "upper bound and larger bound inconsistent with step sign",
                             fmt::format("({} -> {})", number(start), number(end)),
                             "count down with a negative step, or exchange the bounds");
  }
}

[[noreturn]] void fail_size() {
  detail::fail<ShapeError>(operation, "invalid size, possible overflow?", {}, "take a larger step");
}

/// How many numbers of a sequence come before its end; in whole numbers where they are, so that none gets lost.
std::int64_t count_numbers(const Scalar& start, const Scalar& end, const Scalar& step, ScalarType dtype) {
  if (dtype == kLong) {
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

Tensor arange(Scalar start, Scalar end, Scalar step, const TensorOptions& options) {
  const bool whole = start.isIntegral(true) && end.isIntegral(true) && step.isIntegral(true);
  const ScalarType dtype = options.has_dtype() ? options.dtype() : (whole ? kLong : kFloat);
  if (dtype == kBool) {
    detail::fail<TypeError>(operation, "\"arange_cpu\" not implemented for 'Bool'", {}, "choose a dtype of numbers");
  }
  check_bounds(start, end, isFloatingType(dtype) ? step.toDouble() : static_cast<double>(step.toLong()));
  const auto count = count_numbers(start, end, step, dtype);
  auto out = empty({count}, options.dtype(dtype));
  if (count == 0) return out;

  backend::KernelArguments arguments;
  arguments.rank = 1;
  arguments.operand_count = 1;
  arguments.sizes[0] = count;
  arguments.operands[0] = detail::whole(*out.impl());
  arguments.operands[0].strides[0] = 1;
  arguments.parameters[0] = {start.toDouble(), start.toLong()};
  arguments.parameters[1] = {step.toDouble(), step.toLong()};
  constexpr auto range = backend::Operation::arange;
  detail::prepare(range, *out.impl(), {});
  detail::launch(range, out.device(), arguments, arguments.operands[0].extent, count * info(range).flops);
  return out;
}

Tensor arange(Scalar start, Scalar end, const TensorOptions& options) { return arange(start, end, 1, options); }
Tensor arange(Scalar end, const TensorOptions& options) { return arange(0, end, 1, options); }

}  // namespace d2l
