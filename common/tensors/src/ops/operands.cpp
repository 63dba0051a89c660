// SPDX-License-Identifier: MIT
// What the operands of an operation must have in common: a shape, a device, and no overlapping memory.
#include "ops/operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ops/elementwise_launch.h"

namespace d2l::detail {

namespace {

constexpr OperandNames letters{"a", "b", "c"};

/// The first three tensors, for a message.
std::string named_operands(std::initializer_list<const TensorImpl*> tensors, const OperandNames& names = letters) {
  std::array<std::pair<std::string_view, const TensorImpl*>, 3> named{
      {{names[0], nullptr}, {names[1], nullptr}, {names[2], nullptr}}};
  std::size_t i = 0;
  for (const auto* tensor : tensors) {
    if (i < named.size()) named[i++].second = tensor;
  }
  return operands({named[0], named[1], named[2]});
}

[[noreturn]] void fail_devices(std::string_view operation, Device first, Device other,
                               std::initializer_list<const TensorImpl*> tensors, const OperandNames& names = letters) {
  fail<DeviceError>(operation,
                    fmt::format("Expected all tensors to be on the same device, but found at least two devices, {} and "
                                "{}!",
                                first.str(), other.str()),
                    named_operands(tensors, names),
                    fmt::format("move one of them first, for example {}.to({}.device())", names[1], names[0]));
}

/// The first and one past the last element of the storage that a tensor uses.
std::pair<std::int64_t, std::int64_t> range(const TensorImpl& tensor) {
  std::int64_t last = tensor.offset;
  for (int i = 0; i < tensor.sizes.count; ++i) last += (tensor.sizes[i] - 1) * tensor.strides[i];
  return {tensor.offset, last + 1};
}

bool same_elements(const TensorImpl& a, const TensorImpl& b) {
  if (a.offset != b.offset || !same(a.sizes, b.sizes)) return false;
  for (int i = 0; i < a.sizes.count; ++i) {
    if (a.sizes[i] != 1 && a.strides[i] != b.strides[i]) return false;
  }
  return true;
}

/// The shape that two shapes broadcast to; `tensors` are for the message.
Dimensions broadcast(const Dimensions& a, const Dimensions& b, const char* operation,
                     std::initializer_list<const TensorImpl*> tensors) {
  Dimensions shape;
  shape.count = std::max(a.count, b.count);
  for (int i = shape.count - 1; i >= 0; --i) {
    const int in_a = i - (shape.count - a.count);
    const int in_b = i - (shape.count - b.count);
    const std::int64_t size_a = in_a < 0 ? 1 : a[in_a];
    const std::int64_t size_b = in_b < 0 ? 1 : b[in_b];
    if (size_a != size_b && size_a != 1 && size_b != 1) {
      fail<ShapeError>(operation,
                       fmt::format("The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton "
                                   "dimension {}",
                                   size_a, size_b, i),
                       named_operands(tensors), "sizes broadcast when they are equal, or one of them is 1");
    }
    shape[i] = size_a == 1 ? size_b : size_a;
  }
  return shape;
}

}  // namespace

Dimensions broadcast_shapes(const TensorImpl& a, const TensorImpl& b, const char* operation) {
  return broadcast(a.sizes, b.sizes, operation, {&a, &b});
}

Dimensions broadcast_shapes(const char* operation, std::initializer_list<const TensorImpl*> tensors) {
  Dimensions shape = (*tensors.begin())->sizes;
  for (const auto* next = tensors.begin() + 1; next != tensors.end(); ++next) {
    shape = broadcast(shape, (*next)->sizes, operation, tensors);
  }
  return shape;
}

Device common_device(const char* operation, std::initializer_list<const TensorImpl*> tensors) {
  Device common(kCPU);
  for (const auto* tensor : tensors) {
    if (!tensor->device().is_cpu()) {
      common = tensor->device();
      break;
    }
  }
  for (const auto* tensor : tensors) {
    if (tensor->device() == common) continue;
    if (tensor->device().is_cpu() && tensor->sizes.count == 0) continue;
    fail_devices(operation, common, tensor->device(), tensors);
  }
  return common;
}

Device same_device(const char* operation, std::initializer_list<const TensorImpl*> tensors, const OperandNames& names) {
  const Device first = (*tensors.begin())->device();
  for (const auto* tensor : tensors) {
    if (!(tensor->device() == first)) fail_devices(operation, first, tensor->device(), tensors, names);
  }
  return first;
}

void check_no_internal_overlap(const TensorImpl& out, const char* operation) {
  if (out.contiguous) return;
  for (int i = 0; i < out.sizes.count; ++i) {
    if (out.strides[i] != 0 || out.sizes[i] <= 1) continue;
    fail<ValueError>(operation,
                     "unsupported operation: more than one element of the written-to tensor refers to a single memory "
                     "location. Please clone() the tensor before performing the operation.",
                     operands({{"it", &out}}));
  }
}

const Tensor& safe_to_read(const Tensor& input, const TensorImpl& out, const char* operation, Tensor& kept) {
  const TensorImpl& in = *input.impl();
  if (in.storage != out.storage || &in == &out || in.numel == 0 || out.numel == 0) return input;
  if (same_elements(in, out)) return input;
  const auto [in_begin, in_end] = range(in);
  const auto [out_begin, out_end] = range(out);
  if (in_end <= out_begin || out_end <= in_begin) return input;
  if (is_dense(in) && is_dense(out)) {
    fail<ValueError>(operation,
                     "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
                     "single memory location. Please clone() the tensor before performing the operation.",
                     operands({{"written", &out}, {"read", &in}}));
  }
  kept = make_tensor(in.sizes, in.dtype, in.device(), false, operation);
  copy_within_device(*kept.impl(), in);
  return kept;
}

}  // namespace d2l::detail
