// SPDX-License-Identifier: MIT
// Factories: constants and random numbers.
#include "d2l/factories.h"

#include <fmt/format.h>

#include "ops/dispatch.h"
#include "runtime/generator.h"
#include "runtime/runtime.h"
#include "values/number_range.h"

namespace d2l {

using backend::KernelArguments;
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
        {}, "random numbers are float32 or float64");
  }
  auto out = make(sizes, options, info(operation).name);
  const TensorImpl& impl = *out.impl();
  if (impl.numel == 0) return out;
  const auto range = detail::take_random(impl.numel);
  KernelArguments arguments;
  arguments.rank = 1;
  arguments.operand_count = 1;
  arguments.sizes[0] = impl.numel;
  arguments.operands[0] = detail::whole(impl);
  arguments.operands[0].strides[0] = 1;
  arguments.parameters[0].integer = static_cast<std::int64_t>(range.seed);
  arguments.parameters[1].integer = static_cast<std::int64_t>(range.offset);
  detail::prepare(operation, impl, {});
  detail::launch(operation, impl.device(), arguments, arguments.operands[0].extent, impl.numel * info(operation).flops);
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

Tensor rand(IntArrayRef sizes, const TensorOptions& options) { return random(Operation::rand, sizes, options); }
Tensor randn(IntArrayRef sizes, const TensorOptions& options) { return random(Operation::randn, sizes, options); }

Tensor empty_like(const Tensor& like, const TensorOptions& options) {
  const auto complete = options_like(like, options, "empty_like");
  return empty(like.sizes(), complete);
}
Tensor zeros_like(const Tensor& like, const TensorOptions& options) {
  const auto complete = options_like(like, options, "zeros_like");
  return zeros(like.sizes(), complete);
}
Tensor ones_like(const Tensor& like, const TensorOptions& options) {
  const auto complete = options_like(like, options, "ones_like");
  return ones(like.sizes(), complete);
}
Tensor full_like(const Tensor& like, Scalar value, const TensorOptions& options) {
  const auto complete = options_like(like, options, "full_like");
  return full(like.sizes(), value, complete);
}
Tensor rand_like(const Tensor& like, const TensorOptions& options) {
  const auto complete = options_like(like, options, "rand_like");
  return rand(like.sizes(), complete);
}
Tensor randn_like(const Tensor& like, const TensorOptions& options) {
  const auto complete = options_like(like, options, "randn_like");
  return randn(like.sizes(), complete);
}

void manual_seed(std::uint64_t seed) { detail::seed_generator(seed); }

}  // namespace d2l
