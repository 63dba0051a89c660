// SPDX-License-Identifier: MIT
// Creates tensors from sizes, and views of tensors.
#include "core/construct.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/messages.h"

namespace d2l::detail {

namespace {

bool is_row_major(const TensorImpl& tensor) {
  if (tensor.numel == 0) return true;
  std::int64_t expected = 1;
  for (int i = tensor.sizes.count - 1; i >= 0; --i) {
    if (tensor.sizes[i] == 1) continue;
    if (tensor.strides[i] != expected) return false;
    expected *= tensor.sizes[i];
  }
  return true;
}

[[noreturn]] void fail_overflow(const Dimensions& sizes, const char* operation) {
  fail<ShapeError>(operation, fmt::format("Storage size calculation overflowed with sizes={}", text(sizes.ref())), {},
                   "no memory is that large; check the sizes");
}

[[noreturn]] void fail_size(std::int64_t a, char sign, std::int64_t b, const char* operation) {
  fail<ShapeError>(operation, "numel: integer multiplication overflow", fmt::format("({} {} {})", a, sign, b),
                   "no tensor is that large; check the numbers");
}

/// New memory; OutOfMemoryError names the operation.
std::shared_ptr<Storage> make_storage(Device device, std::size_t bytes, bool pinned, const char* operation) {
  try {
    return std::make_shared<Storage>(device, bytes, pinned);
  } catch (const OutOfMemoryError& error) {
    constexpr std::string_view prefix = "[allocate]";
    const std::string_view what = error.what();
    if (!what.starts_with(prefix)) throw;
    throw OutOfMemoryError(fmt::format("[{}]{}", operation, what.substr(prefix.size())));
  }
}

}  // namespace

Dimensions dimensions(IntArrayRef sizes, const char* operation) {
  if (sizes.size() > static_cast<std::size_t>(max_dimensions)) {
    fail<ShapeError>(operation,
                     fmt::format("only tensors with up to {} dims are supported, but {} were requested: {}",
                                 max_dimensions, sizes.size(), text(sizes)),
                     {}, "merge some of them, for example with reshape");
  }
  Dimensions result;
  result.count = static_cast<int>(sizes.size());
  std::copy(sizes.begin(), sizes.end(), result.values.begin());
  return result;
}

std::int64_t count_elements(const Dimensions& sizes, const char* operation) {
  std::int64_t count = 1;
  for (int i = 0; i < sizes.count && count != 0; ++i) {
    if (__builtin_mul_overflow(count, sizes[i], &count)) fail_overflow(sizes, operation);
  }
  return count;
}

std::int64_t checked_product(std::int64_t a, std::int64_t b, const char* operation) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) fail_size(a, '*', b, operation);
  return result;
}

std::int64_t checked_sum(std::int64_t a, std::int64_t b, const char* operation) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) fail_size(a, '+', b, operation);
  return result;
}

Dimensions contiguous_strides(const Dimensions& sizes, const char* operation) {
  Dimensions strides;
  strides.count = sizes.count;
  if (sizes.count > 0) strides[sizes.count - 1] = 1;
  for (int i = sizes.count - 1; i > 0; --i) {
    if (!__builtin_mul_overflow(strides[i], std::max<std::int64_t>(sizes[i], 1), &strides[i - 1])) continue;
    fail<ShapeError>(operation, fmt::format("Stride calculation overflowed with sizes={}", text(sizes.ref())), {},
                     "check the sizes beside the 0");
  }
  return strides;
}

bool is_dense(const TensorImpl& tensor) {
  if (tensor.contiguous) return true;
  // Follows the dimensions by increasing stride: each stride must equal the size of the block filled so far.
  std::int64_t filled = 1;
  while (filled < tensor.numel) {
    std::int64_t next = 0;
    for (int i = 0; i < tensor.sizes.count; ++i) {
      if (tensor.sizes[i] != 1 && tensor.strides[i] == filled) next = tensor.sizes[i];
    }
    if (next == 0) return false;
    filled *= next;
  }
  return true;
}

Tensor make_tensor(const Dimensions& sizes, ScalarType dtype, Device device, bool pinned, const char* operation) {
  auto impl = std::make_shared<TensorImpl>();
  impl->sizes = sizes;
  impl->numel = count_elements(sizes, operation);
  impl->strides = contiguous_strides(sizes, operation);
  impl->dtype = dtype;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(impl->numel, bytes_each(dtype), &bytes)) fail_overflow(sizes, operation);
  impl->storage = make_storage(device, static_cast<std::size_t>(bytes), pinned, operation);
  return Tensor(std::move(impl));
}

Tensor with_gradient(Tensor tensor, const TensorOptions& options) {
  if (!options.requires_grad()) return tensor;
  if (!isFloatingType(tensor.impl()->dtype)) {
    fail<TypeError>("requires_grad", "Only Tensors of floating point and complex dtype can require gradients",
                    operands({{"it", tensor.impl().get()}}), "ask for a floating-point dtype, for example kFloat");
  }
  tensor.impl()->requires_grad = true;
  return tensor;
}

Tensor make_view(const TensorImpl& base, const Dimensions& sizes, const Dimensions& strides, std::int64_t offset) {
  auto impl = std::make_shared<TensorImpl>();
  impl->storage = base.storage;
  impl->sizes = sizes;
  impl->strides = strides;
  impl->offset = offset;
  impl->numel = count_elements(sizes, "view");
  impl->dtype = base.dtype;
  impl->contiguous = is_row_major(*impl);
  impl->behind_autograd = base.behind_autograd;
  return Tensor(std::move(impl));
}

Tensor broadcast_view(const TensorImpl& tensor, const Dimensions& sizes) {
  Dimensions strides;
  strides.count = sizes.count;
  const int missing = sizes.count - tensor.sizes.count;
  for (int i = missing; i < sizes.count; ++i) {
    const bool repeated = tensor.sizes[i - missing] == 1 && sizes[i] != 1;
    strides[i] = repeated ? 0 : tensor.strides[i - missing];
  }
  return make_view(tensor, sizes, strides, tensor.offset);
}

}  // namespace d2l::detail
