// SPDX-License-Identifier: MIT
// Products: matmul for one, two and more dimensions, and mm.
#include <fmt/format.h>

#include "dispatch.h"
#include "reshape.h"

namespace d2l {

using detail::Dimensions;
using detail::fail;
using detail::impl_of;
using detail::Operation;
using detail::TensorImpl;

namespace {

/// How PyTorch names a product of given dimensions where it refuses a dtype.
void check_types(const TensorImpl& a, const TensorImpl& b, const char* kernel) {
  if (a.dtype != b.dtype) {
    const bool dot = a.sizes.count == 1 && b.sizes.count == 1;
    const auto* names_a = toString(a.dtype);
    const auto* names_b = toString(b.dtype);
    const auto c_name = [](ScalarType type) {
      constexpr const char* names[] = {"bool", "unsigned char", "int", "long int", "float", "double"};
      return names[static_cast<int>(type)];
    };
    fail<TypeError>(
        "matmul",
        dot ? fmt::format("dot : expected both vectors to have same dtype, but found {} and {}", names_a, names_b)
            : fmt::format("expected scalar type {} but found {}: expected m1 and m2 to have the same dtype, "
                          "but got: {} != {}",
                          names_a, names_b, c_name(a.dtype), c_name(b.dtype)),
        detail::operands({{"a", &a}, {"b", &b}}), "convert one of them first, for example b.to(a.dtype())");
  }
  if (a.dtype == kBool) {
    fail<TypeError>("matmul", fmt::format("\"{}\" not implemented for 'Bool'", kernel),
                    detail::operands({{"a", &a}, {"b", &b}}), "convert both first, for example to kFloat");
  }
}

/// A stack of matrices as the kernel walks it: strides of batch, row and column.
struct Matrices {
  Tensor memory;
  std::int64_t batch = 0;
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// Views `tensor` (…, rows, columns), broadcast to the batch sizes, as one batch; copies where its strides cannot.
Matrices stacked(const Tensor& tensor, const Dimensions& batch) {
  auto shape = batch;
  const TensorImpl& impl = *tensor.impl();
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

/// (batch…, n, k) × (batch…, k, m), into a new tensor of shape `result` with as many elements.
Tensor product(const Tensor& a, const Tensor& b, const Dimensions& batch, const Dimensions& result) {
  const TensorImpl& left = *a.impl();
  const auto n = left.sizes[left.sizes.count - 2];
  const auto k = left.sizes[left.sizes.count - 1];
  const auto m = b.impl()->sizes[b.impl()->sizes.count - 1];
  auto out = detail::make_tensor(result, left.dtype, left.device(), false, "matmul");
  if (out.impl()->numel == 0) return out;
  if (k == 0) return out.zero_();
  const auto first = stacked(a, batch);
  const auto second = stacked(b, batch);
  const auto count = count_elements(batch, "matmul");

  detail::KernelArguments arguments;
  arguments.rank = 4;
  arguments.operand_count = 3;
  arguments.sizes[0] = count;
  arguments.sizes[1] = n;
  arguments.sizes[2] = k;
  arguments.sizes[3] = m;
  arguments.operands[0] = detail::whole(*out.impl());
  arguments.operands[0].strides = {n * m, m, 1};
  arguments.operands[1] = operand(first, count, n, k);
  arguments.operands[2] = operand(second, count, k, m);
  const auto bytes =
      arguments.operands[0].extent + distinct_bytes(first, count, n, k) + distinct_bytes(second, count, k, m);
  detail::prepare(Operation::matmul, *out.impl(), {first.memory.impl().get(), second.memory.impl().get()});
  detail::launch(Operation::matmul, out.device(), arguments, bytes, info(Operation::matmul).flops * n * k * m * count);
  return out;
}

[[noreturn]] void fail_shapes(const TensorImpl& a, const TensorImpl& b, std::int64_t rows_a, std::int64_t columns_a,
                              std::int64_t rows_b, std::int64_t columns_b) {
  fail<ShapeError>(
      "matmul",
      fmt::format("mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", rows_a, columns_a, rows_b, columns_b),
      detail::operands({{"mat1", &a}, {"mat2", &b}}), "the columns of the first must be the rows of the second");
}

[[noreturn]] void fail_vector(const TensorImpl& a, const TensorImpl& b, std::int64_t rows, std::int64_t columns,
                              std::int64_t length) {
  fail<ShapeError>("matmul", fmt::format("size mismatch, got {}, {}x{},{}", rows, rows, columns, length),
                   detail::operands({{"a", &a}, {"b", &b}}),
                   "the columns of the matrix must be the elements of the vector");
}

Dimensions leading(const TensorImpl& impl) {
  auto result = impl.sizes;
  result.count = std::max(impl.sizes.count - 2, 0);
  return result;
}

std::int64_t product_of(const Dimensions& sizes) { return count_elements(sizes, "matmul"); }

Tensor dot(const Tensor& a, const Tensor& b, const TensorImpl& x, const TensorImpl& y) {
  if (x.numel != y.numel) {
    fail<ShapeError>(
        "matmul",
        fmt::format("inconsistent tensor size, expected tensor [{}] and src [{}] to have the same number of "
                    "elements, but got {} and {} elements respectively",
                    x.numel, y.numel, x.numel, y.numel),
        detail::operands({{"a", &x}, {"b", &y}}));
  }
  detail::same_device("matmul", {&x, &y});
  check_types(x, y, "dot");
  return product(a.unsqueeze(0), b.unsqueeze(1), {}, {});
}

/// (…, n, k) × (k).
Tensor times_vector(const Tensor& a, const Tensor& b, const TensorImpl& x, const TensorImpl& y) {
  const auto columns = x.sizes[x.sizes.count - 1];
  auto result = x.sizes;
  --result.count;
  if (columns != y.numel) fail_vector(x, y, product_of(result), columns, y.numel);
  detail::same_device("matmul", {&x, &y});
  check_types(x, y, "addmv_impl_cpu");
  return product(a, b.unsqueeze(1), leading(x), result);
}

/// (k) × (…, k, m).
Tensor vector_times(const Tensor& a, const Tensor& b, const TensorImpl& x, const TensorImpl& y) {
  const auto rows = y.sizes[y.sizes.count - 2];
  const auto columns = y.sizes[y.sizes.count - 1];
  if (rows != x.numel) {
    if (y.sizes.count == 2) fail_shapes(x, y, 1, x.numel, rows, columns);
    fail_vector(x, y, product_of(leading(y)) * columns, rows, x.numel);
  }
  detail::same_device("matmul", {&x, &y});
  check_types(x, y, y.sizes.count == 2 ? "addmm_impl_cpu_" : "addmv_impl_cpu");
  auto result = leading(y);
  result[result.count++] = columns;
  return product(a.unsqueeze(0), b, leading(y), result);
}

void check_inner_sizes(const TensorImpl& x, const TensorImpl& y, const Dimensions& batch) {
  const auto n = x.sizes[x.sizes.count - 2];
  const auto k = x.sizes[x.sizes.count - 1];
  const auto rows = y.sizes[y.sizes.count - 2];
  const auto m = y.sizes[y.sizes.count - 1];
  if (k == rows) return;
  if (y.sizes.count == 2) fail_shapes(x, y, product_of(leading(x)) * n, k, rows, m);
  if (x.sizes.count == 2) fail_shapes(x, y, product_of(leading(y)) * m, rows, k, n);
  fail<ShapeError>("matmul",
                   fmt::format("Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, "
                               "{}].",
                               product_of(batch), k, product_of(batch), rows),
                   detail::operands({{"a", &x}, {"b", &y}}), "the columns of the first must be the rows of the second");
}

/// (…, n, k) × (…, k, m).
Tensor matrices(const Tensor& a, const Tensor& b, const TensorImpl& x, const TensorImpl& y) {
  const auto batch_a = make_view(x, leading(x), leading(x), 0);
  const auto batch_b = make_view(y, leading(y), leading(y), 0);
  const auto batch = broadcast_shapes(*batch_a.impl(), *batch_b.impl(), "matmul");
  check_inner_sizes(x, y, batch);
  detail::same_device("matmul", {&x, &y});
  check_types(x, y, x.sizes.count > 2 && y.sizes.count > 2 ? "bmm" : "addmm_impl_cpu_");
  const auto n = x.sizes[x.sizes.count - 2];
  const auto m = y.sizes[y.sizes.count - 1];
  auto result = batch;
  result[result.count++] = n;
  result[result.count++] = m;
  if (y.sizes.count == 2 && x.contiguous && x.sizes.count > 2) {  // one tall product
    const auto rows = product_of(batch) * n;
    return product(a.view({rows, x.sizes[x.sizes.count - 1]}), b, {}, result);
  }
  return product(a, b, batch, result);
}

}  // namespace

Tensor Tensor::matmul(const Tensor& other) const {
  const TensorImpl& x = impl_of(*this, "matmul");
  const TensorImpl& y = impl_of(other, "matmul");
  if (x.sizes.count == 0 || y.sizes.count == 0) {
    fail<ShapeError>("matmul",
                     fmt::format("both arguments to matmul need to be at least 1D, but they are {}D and {}D",
                                 x.sizes.count, y.sizes.count),
                     detail::operands({{"a", &x}, {"b", &y}}), "multiply by a number with *");
  }
  if (x.sizes.count == 1 && y.sizes.count == 1) return dot(*this, other, x, y);
  if (y.sizes.count == 1) return times_vector(*this, other, x, y);
  if (x.sizes.count == 1) return vector_times(*this, other, x, y);
  return matrices(*this, other, x, y);
}

Tensor Tensor::mm(const Tensor& other) const {
  const TensorImpl& x = impl_of(*this, "mm");
  const TensorImpl& y = impl_of(other, "mm");
  if (x.sizes.count != 2)
    fail<ShapeError>("mm", "self must be a matrix", detail::operands({{"self", &x}}), "use matmul");
  if (y.sizes.count != 2)
    fail<ShapeError>("mm", "mat2 must be a matrix", detail::operands({{"mat2", &y}}), "use matmul");
  return matrices(*this, other, x, y);
}

}  // namespace d2l
