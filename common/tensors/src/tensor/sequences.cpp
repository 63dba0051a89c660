// SPDX-License-Identifier: MIT
// Factories of sequences, identities, random integers, and of tensors in the caller's memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/messages.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/elementwise_launch.h"
#include "runtime/runtime.h"
#include "values/number_range.h"

namespace d2l {

using backend::Operation;
using detail::fail;

namespace {

/// The options with `type`, unless they have a dtype; without gradients, for a first step.
TensorOptions with_default(const TensorOptions& options, ScalarType type) {
  return (options.has_dtype() ? options : options.dtype(type)).requires_grad(false);
}

void check_count(std::int64_t count, const char* operation, const std::string& sentence) {
  if (count < 0) fail<ValueError>(operation, sentence, {}, "counts are 0 or more");
}

/// ValueError unless random integers from `low` to `high` − 1 exist in `type`.
void check_random_range(std::int64_t low, std::int64_t high, ScalarType type) {
  if (low >= high) {
    fail<ValueError>("randint",
                     fmt::format("random_ expects 'from' to be less than 'to', but got from={} >= to={}", low, high),
                     {}, "the upper bound is not among the numbers: give a larger one");
  }
  const auto check = [type](const char* name, std::int64_t value) {
    if (detail::representable(value, type) && (type > kByte || value >= 0) && (type != kBool || value <= 1)) return;
    fail<ValueError>("randint", fmt::format("{} is out of bounds for {}", name, detail::cpp_name(type)), {},
                     "choose a dtype that has the numbers");
  };
  check("from", low);
  check("to - 1", high - 1);
}

/// The bytes from the first element to the end of the last; ShapeError if no memory has so many.
std::int64_t bytes_spanned(const detail::Dimensions& sizes, const detail::Dimensions& strides, ScalarType dtype) {
  if (detail::count_elements(sizes, "from_blob") == 0) return 0;
  std::int64_t bytes = 1;
  bool overflow = false;
  for (int i = 0; i < sizes.count; ++i) {
    std::int64_t along = 0;
    overflow = __builtin_mul_overflow(sizes[i] - 1, strides[i], &along) || overflow;
    overflow = __builtin_add_overflow(bytes, along, &bytes) || overflow;
  }
  if (overflow || __builtin_mul_overflow(bytes, detail::bytes_each(dtype), &bytes)) {
    fail<ShapeError>("from_blob",
                     fmt::format("Storage size calculation overflowed with sizes={} and strides={}",
                                 detail::text(sizes.ref()), detail::text(strides.ref())),
                     {}, "no memory is that large; check the sizes and strides");
  }
  return bytes;
}

}  // namespace

Tensor eye(std::int64_t n, const TensorOptions& options) { return eye(n, n, options); }

Tensor eye(std::int64_t n, std::int64_t m, const TensorOptions& options) {
  check_count(n, "eye", fmt::format("n must be greater or equal to 0, got {}", n));
  check_count(m, "eye", fmt::format("m must be greater or equal to 0, got {}", m));
  auto out = zeros({n, m}, options.requires_grad(false));
  if (n > 0 && m > 0) {
    const detail::Dimensions sizes{{std::min(n, m)}, 1};
    detail::fill(*detail::make_view(*out.impl(), sizes, detail::Dimensions{{m + 1}, 1}, 0).impl(), 1);
  }
  return detail::with_gradient(std::move(out), options);
}

Tensor linspace(Scalar start, Scalar end, std::int64_t steps, const TensorOptions& options) {
  check_count(steps, "linspace", "number of steps must be non-negative");
  if (options.has_dtype() && options.dtype() == kBool) {
    fail<TypeError>("linspace", "\"linspace_cpu\" not implemented for 'Bool'", {}, "choose a dtype of numbers");
  }
  if (!isFloatingType(options.dtype())) {  // as in PyTorch, the bounds are integers then
    for (Scalar* bound : {&start, &end}) {
      detail::check_representable(*bound, options.dtype(), "linspace");
      *bound = bound->toLong();
    }
  }
  auto out = empty({steps}, options);
  if (steps == 0) return out;
  auto arguments = detail::one_dimension(steps);
  arguments.parameters[0].real = start.toDouble();
  arguments.parameters[1].real = end.toDouble();
  detail::launch_whole(Operation::linspace, arguments, {out.impl().get()}, steps);
  return out;
}

Tensor randint(std::int64_t low, std::int64_t high, IntArrayRef size, const TensorOptions& options) {
  const auto complete = with_default(options, kLong);
  check_random_range(low, high, complete.dtype());
  // The largest double that is not above the count of numbers: the product with a number below 1 is then below it.
  const auto count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  double range = static_cast<double>(count);
  if (count > std::uint64_t{1} << 53) range = std::min(std::nextafter(range, 0), 0x1p63);
  auto numbers = rand(size, complete.dtype(kDouble)).mul_(range).to(kLong);
  numbers.add_(low);
  return detail::with_gradient(numbers.to(complete.dtype()), options);
}

Tensor randint(std::int64_t high, IntArrayRef size, const TensorOptions& options) {
  return randint(0, high, size, options);
}

Tensor randperm(std::int64_t n, const TensorOptions& options) {
  check_count(n, "randperm", fmt::format("n must be non-negative, got{}", n));
  const auto complete = with_default(options, kLong);
  const auto order = rand({n}, complete.dtype(kDouble)).argsort(0);
  return detail::with_gradient(order.to(complete.dtype()), options);
}

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const std::function<void(void*)>& deleter,
                 const TensorOptions& options) {
  if (sizes.size() != strides.size()) {
    fail<ShapeError>(
        "from_blob",
        fmt::format("mismatch in length of strides and shape: {} and {}", detail::text(strides), detail::text(sizes)),
        {}, "give a stride for each dimension");
  }
  const auto shape = detail::dimensions(sizes, "from_blob");
  const auto steps = detail::dimensions(strides, "from_blob");
  for (int i = 0; i < shape.count; ++i) {
    if (shape[i] < 0 || steps[i] < 0) {
      fail<ShapeError>("from_blob", "sizes and strides must be non-negative",
                       fmt::format("(sizes: {}; strides: {})", detail::text(sizes), detail::text(strides)),
                       "sizes and strides are 0 or more");
    }
  }
  const auto bytes = static_cast<std::size_t>(bytes_spanned(shape, steps, options.dtype()));
  if (data == nullptr && bytes > 0) {
    fail<ValueError>("from_blob", "the address of the elements is null", {}, "give memory that has the elements");
  }
  static_cast<void>(detail::backend_of(options.device()));
  auto impl = std::make_shared<detail::TensorImpl>();
  impl->storage = std::make_shared<detail::Storage>(options.device(), data, bytes, deleter);
  impl->dtype = options.dtype();
  const auto view = detail::make_view(*impl, shape, steps, 0);
  return detail::with_gradient(view, options);
}

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  return from_blob(data, sizes, strides, nullptr, options);
}

Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options) {
  return from_blob(data, sizes, nullptr, options);
}

Tensor from_blob(void* data, IntArrayRef sizes, const std::function<void(void*)>& deleter,
                 const TensorOptions& options) {
  for (const auto size : sizes) check_count(size, "from_blob", "sizes must be non-negative");
  const auto strides = detail::contiguous_strides(detail::dimensions(sizes, "from_blob"), "from_blob");
  return from_blob(data, sizes, strides.ref(), deleter, options);
}

}  // namespace d2l
