// SPDX-License-Identifier: MIT
// The launch of a product of matrices, and its precision.
#include "tensor/matrix_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <string>

#include "d2l/ops.h"
#include "ops/elementwise_launch.h"

namespace d2l {

using detail::Dimensions;
using detail::Operation;
using detail::TensorImpl;

namespace {

constexpr std::array<const char*, 3> precisions{"highest", "high", "medium"};
std::atomic<const char* const*> float32_precision{&precisions[0]};

/// A batch of matrices for the kernel: the strides of batch, row and column.
struct Matrices {
  Tensor memory;
  std::int64_t batch = 0;
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// `tensor` (…, rows, columns), broadcast to the batch sizes, as one batch: a view, or a copy if no strides fit.
Matrices stacked(const Tensor& tensor, const Dimensions& batch) {
  const TensorImpl& impl = *tensor.impl();
  if (impl.sizes.count == 2 && batch.count == 0) return {tensor, 0, impl.strides[0], impl.strides[1]};
  auto shape = batch;
  for (int i = impl.sizes.count - 2; i < impl.sizes.count; ++i) shape[shape.count++] = impl.sizes[i];
  const auto expanded = same(shape, impl.sizes) ? tensor : broadcast_view(impl, shape);
  const auto one_batch = expanded.reshape({-1, shape[shape.count - 2], shape[shape.count - 1]});
  const auto strides = one_batch.strides();
  return {one_batch, strides[0], strides[1], strides[2]};
}

backend::Operand operand(const Matrices& matrices, std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  const TensorImpl& impl = *matrices.memory.impl();
  backend::Operand result;
  result.data = impl.data();
  result.dtype = impl.dtype;
  result.strides = {matrices.batch, matrices.row, matrices.column};
  result.extent = ((batch - 1) * matrices.batch + (rows - 1) * matrices.row + (columns - 1) * matrices.column + 1) *
                  detail::bytes_each(impl.dtype);
  return result;
}

std::int64_t distinct_bytes(const Matrices& matrices, std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  const auto along = [](std::int64_t size, std::int64_t stride) { return stride == 0 ? 1 : size; };
  return along(batch, matrices.batch) * along(rows, matrices.row) * along(columns, matrices.column) *
         detail::bytes_each(matrices.memory.impl()->dtype);
}

}  // namespace

Tensor detail::product(const Tensor& a, const Tensor& b, const Dimensions& batch, const Dimensions& result,
                       const TensorImpl* added) {
  const TensorImpl& left = *a.impl();
  const auto n = left.sizes[left.sizes.count - 2];
  const auto k = left.sizes[left.sizes.count - 1];
  const auto m = b.impl()->sizes[b.impl()->sizes.count - 1];
  constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();  // BLAS counts with 32-bit integers
  if (k > largest || m > largest) {
    fail<ShapeError>("matmul", fmt::format("the operands of a product have at most {} columns", largest),
                     detail::operands({{"a", &left}, {"b", b.impl().get()}}), "multiply parts of them");
  }
  auto out = detail::make_tensor(result, left.dtype, left.device(), false, "matmul");
  if (out.impl()->numel == 0) return out;
  if (added != nullptr) copy_within_device(*out.impl(), *added);
  if (k == 0) {
    if (added == nullptr) detail::fill(*out.impl(), 0);
    return out;
  }
  const auto first = stacked(a, batch);
  const auto second = stacked(b, batch);
  const auto count = count_elements(batch, "matmul");

  detail::KernelArguments arguments;
  arguments.rank = 4;
  arguments.operand_count = 3;
  arguments.sizes = {count, n, k, m};
  arguments.operands[0] = detail::whole(*out.impl());
  arguments.operands[0].strides = {n * m, m, 1};
  arguments.operands[1] = operand(first, count, n, k);
  arguments.operands[2] = operand(second, count, k, m);
  arguments.parameters[0].real = added == nullptr ? 0 : 1;
  arguments.parameters[1].integer = float32_precision.load() == &precisions[0] ? 0 : 1;
  const auto bytes =
      arguments.operands[0].extent + distinct_bytes(first, count, n, k) + distinct_bytes(second, count, k, m);
  detail::prepare(Operation::matmul, {out.impl().get(), first.memory.impl().get(), second.memory.impl().get()});
  detail::launch(Operation::matmul, out.device(), arguments, bytes, info(Operation::matmul).flops * n * k * m * count);
  return out;
}

void set_float32_matmul_precision(const std::string& precision) {
  const auto* const found = std::find(precisions.begin(), precisions.end(), precision);
  if (found == precisions.end()) {
    throw ValueError(
        fmt::format("[set_float32_matmul_precision] {} is not one of 'highest', 'high', or 'medium'; the current "
                    "setFloat32MatmulPrecision call has no effect.",
                    precision));
  }
  float32_precision = found;
}

std::string get_float32_matmul_precision() { return *float32_precision.load(); }

}  // namespace d2l
