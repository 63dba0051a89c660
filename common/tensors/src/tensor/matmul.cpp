// SPDX-License-Identifier: MIT
// Products: matmul for one, two and more dimensions, mm and linear, with their records and derivatives.
#include <fmt/format.h>

#include <algorithm>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "core/messages.h"
#include "d2l/ops.h"
#include "ops/elementwise_launch.h"
#include "ops/operands.h"
#include "tensor/matrix_product.h"

namespace d2l {

using detail::CastRule;
using detail::Dimensions;
using detail::fail;
using detail::impl_of;
using detail::product;
using detail::TensorImpl;
using detail::with_casts;

namespace {

/// TypeError unless both have one dtype of numbers; `kernel` is PyTorch's name of the product in its message.
void check_types(const TensorImpl& a, const TensorImpl& b, const char* kernel) {
  if (a.dtype != b.dtype) {
    const bool dot = a.sizes.count == 1 && b.sizes.count == 1;
    const auto* names_a = toString(a.dtype);
    const auto* names_b = toString(b.dtype);
    fail<TypeError>(
        "matmul",
        dot ? fmt::format("dot : expected both vectors to have same dtype, but found {} and {}", names_a, names_b)
            : fmt::format("expected scalar type {} but found {}: expected m1 and m2 to have the same dtype, "
                          "but got: {} != {}",
                          names_a, names_b, detail::cpp_name(a.dtype), detail::cpp_name(b.dtype)),
        detail::operands({{"a", &a}, {"b", &b}}), "convert one of them first, for example b.to(a.dtype())");
  }
  if (a.dtype == kBool) {
    fail<TypeError>("matmul", fmt::format("\"{}\" not implemented for 'Bool'", kernel),
                    detail::operands({{"a", &a}, {"b", &b}}), "convert both first, for example to kFloat");
  }
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
  if (y.sizes.count == 2 && x.contiguous && x.sizes.count > 2) {  // one product of all rows
    const auto rows = product_of(batch) * n;
    return product(a.view({rows, x.sizes[x.sizes.count - 1]}), b, {}, result);
  }
  return product(a, b, batch, result);
}

Tensor matmul_value(const Tensor& a, const Tensor& b) {
  const TensorImpl& x = impl_of(a, "matmul");
  const TensorImpl& y = impl_of(b, "matmul");
  if (x.sizes.count == 0 || y.sizes.count == 0) {
    fail<ShapeError>("matmul",
                     fmt::format("both arguments to matmul need to be at least 1D, but they are {}D and {}D",
                                 x.sizes.count, y.sizes.count),
                     detail::operands({{"a", &x}, {"b", &y}}), "multiply by a number with *");
  }
  if (x.sizes.count == 1 && y.sizes.count == 1) return dot(a, b, x, y);
  if (y.sizes.count == 1) return times_vector(a, b, x, y);
  if (x.sizes.count == 1) return vector_times(a, b, x, y);
  return matrices(a, b, x, y);
}

/// Which factor is a vector.
struct ProductState {
  bool row;     ///< the first
  bool column;  ///< the second
};

detail::Recorded kind_of_product(int a, int b) {
  using detail::Recorded;
  if (a == 1 && b == 1) return Recorded::DotBackward0;
  if (a == 2 && b == 1) return Recorded::MvBackward0;
  if (a == 1 && b == 2) return Recorded::SqueezeBackward3;
  return a == 2 && b == 2 ? Recorded::MmBackward0 : Recorded::UnsafeViewBackward0;
}

/// `result`, the product of `a` and `b`, with its record.
Tensor recorded(Tensor result, const Tensor& a, const Tensor& b) {
  if (!detail::is_recorded(a, b)) return result;
  const int dims_of_a = a.impl()->sizes.count;
  const int dims_of_b = b.impl()->sizes.count;
  auto record = detail::record(kind_of_product(dims_of_a, dims_of_b), {&a, &b});
  if (record->wants(1)) detail::save(*record, 0, a);
  if (record->wants(0)) detail::save(*record, 1, b);
  record->state = ProductState{dims_of_a == 1, dims_of_b == 1};
  detail::attach(result, std::move(record));
  if (dims_of_a != 2 || dims_of_b < 3) return result;
  // PyTorch computes this product transposed, and then copies it.
  auto copied = detail::alias_of(*result.impl());
  detail::attach(copied, detail::record(detail::Recorded::CloneBackward0, {&result}));
  return copied;
}

/// bias + input × weightᵀ: input (n, k), weight (m, k).
Tensor addmm(const Tensor& bias, const Tensor& input, const Tensor& weight) {
  const TensorImpl& b = *bias.impl();
  const TensorImpl& x = *input.impl();
  const TensorImpl& w = *weight.impl();
  if (x.sizes[1] != w.sizes[1]) fail_shapes(x, w, x.sizes[0], x.sizes[1], w.sizes[1], w.sizes[0]);
  detail::same_device("linear", {&b, &x, &w}, {"bias", "input", "weight"});
  if (x.dtype != w.dtype || b.dtype != w.dtype) {
    fail<TypeError>("linear", "mat1 and mat2 must have the same dtype",
                    detail::operands({{"mat1", &x}, {"mat2", &w}, {"bias", &b}}),
                    "convert the input or the layer with to(dtype)");
  }
  check_types(x, w, "addmm_impl_cpu_");
  const Dimensions sizes{{x.sizes[0], w.sizes[0]}, 2};
  if (b.sizes.count > 1 || (b.numel != 1 && b.numel != w.sizes[0])) {
    fail<ShapeError>("linear",
                     fmt::format("The expanded size of the tensor ({}) must match the existing size ({}) at "
                                 "non-singleton dimension 1.  Target sizes: {}.  Tensor sizes: {}",
                                 w.sizes[0], b.sizes.count == 0 ? 1 : b.sizes[b.sizes.count - 1],
                                 detail::text(sizes.ref()), detail::text(b.sizes.ref())),
                     detail::operands({{"bias", &b}, {"weight", &w}}), "the bias has one element for each output");
  }
  const Dimensions transposed_sizes{{w.sizes[1], w.sizes[0]}, 2};
  const Dimensions transposed_strides{{w.strides[1], w.strides[0]}, 2};
  const Tensor transposed = detail::make_view(w, transposed_sizes, transposed_strides, w.offset);
  auto result = product(input, transposed, {}, sizes, &b);
  if (!detail::is_recorded(bias, input, weight)) return result;
  auto record = detail::record(detail::Recorded::AddmmBackward0, {&bias, &input, &weight});
  if (record->wants(2)) detail::save(*record, 0, input);
  if (record->wants(1)) detail::save(*record, 1, weight);
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace

Tensor Tensor::matmul(const Tensor& other) const {
  if (detail::autocasts(CastRule::low, *this)) {
    return with_casts(
        CastRule::low, [](const Tensor& a, const Tensor& b) { return a.matmul(b); }, *this, other);
  }
  return recorded(detail::unrecorded([&] { return matmul_value(*this, other); }), *this, other);
}

Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  if (detail::autocasts(CastRule::low, input)) return with_casts(CastRule::low, linear, input, weight, bias);
  const TensorImpl& x = impl_of(input, "linear");
  const TensorImpl& w = impl_of(weight, "linear");
  if (w.sizes.count != 2) {
    fail<ShapeError>("linear", "the weight must be a matrix (outputs, inputs)", detail::operands({{"weight", &w}}));
  }
  if (!bias.defined()) return input.matmul(weight.t());
  impl_of(bias, "linear");
  if (x.sizes.count == 2) return addmm(bias, input, weight);
  if (x.sizes.count == 3 && x.contiguous) {
    const auto rows = addmm(bias, input.view({x.sizes[0] * x.sizes[1], x.sizes[2]}), weight);
    return rows.view({x.sizes[0], x.sizes[1], w.sizes[0]});
  }
  return input.matmul(weight.t()) + bias;
}

Tensor Tensor::mm(const Tensor& other) const {
  if (detail::autocasts(CastRule::low, *this)) {
    return with_casts(
        CastRule::low, [](const Tensor& a, const Tensor& b) { return a.mm(b); }, *this, other);
  }
  const TensorImpl& x = impl_of(*this, "mm");
  const TensorImpl& y = impl_of(other, "mm");
  if (x.sizes.count != 2)
    fail<ShapeError>("mm", "self must be a matrix", detail::operands({{"self", &x}}), "use matmul");
  if (y.sizes.count != 2)
    fail<ShapeError>("mm", "mat2 must be a matrix", detail::operands({{"mat2", &y}}), "use matmul");
  return recorded(detail::unrecorded([&] { return matrices(*this, other, x, y); }), *this, other);
}

}  // namespace d2l

namespace d2l::detail::derivatives {

namespace {

/// Batches of matrices with rows and columns exchanged.
Tensor transposed(const Tensor& matrices) { return matrices.transpose(-2, -1); }

}  // namespace

void DotBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (operation.wants(0)) results[0] = g * operation.saved(1);
  if (operation.wants(1)) results[1] = g * operation.saved(0);
}

void MvBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (operation.wants(0)) results[0] = g.unsqueeze(1).mm(operation.saved(1).unsqueeze(0));
  if (operation.wants(1)) results[1] = operation.saved(0).t().matmul(g);
}

/// (k) × (k, m).
void SqueezeBackward3(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (operation.wants(0)) results[0] = operation.saved(1).matmul(g);
  if (operation.wants(1)) results[1] = operation.saved(0).unsqueeze(1).mm(g.unsqueeze(0));
}

void MmBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (operation.wants(0)) results[0] = g.mm(operation.saved(1).t());
  if (operation.wants(1)) results[1] = operation.saved(0).t().mm(g);
}

/// bias + a × weightᵀ: a (n, k), weight (m, k).
void AddmmBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (operation.wants(0)) results[0] = g;  // backward() sums over the rows
  if (operation.wants(1)) results[1] = g.mm(operation.saved(1));
  if (operation.wants(2)) results[2] = g.t().mm(operation.saved(0));
}

/// Products of more dimensions, or (with one input) a reshaped copy.
void UnsafeViewBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (results.size() == 1) {
    results[0] = g.reshape(operation.inputs[0].sizes.ref());
    return;
  }
  const auto& [row, column] = state_of<ProductState>(operation);
  Tensor rows_of_g = g;
  if (row) rows_of_g = rows_of_g.unsqueeze(-2);
  if (column) rows_of_g = rows_of_g.unsqueeze(-1);
  if (operation.wants(0)) {
    const Tensor& b = operation.saved(1);
    const Tensor product = rows_of_g.matmul(transposed(column ? b.unsqueeze(1) : b));
    results[0] = row ? product.squeeze(-2) : product;
  }
  if (!operation.wants(1)) return;
  const Tensor& a = operation.saved(0);
  if (operation.inputs[1].sizes.count <= 2 && a.dim() > 2) {  // one product of all rows instead of a sum over batches
    std::int64_t rows = 1;                                    // not -1, which no size is 0 beside
    for (std::int64_t i = 0; i + 1 < a.dim(); ++i) rows *= a.size(i);
    const Tensor tall = a.reshape({rows, a.size(-1)});
    const Tensor tall_g = rows_of_g.reshape({rows, rows_of_g.size(-1)});
    const Tensor product = tall.t().mm(tall_g);
    results[1] = column ? product.squeeze(-1) : product;
    return;
  }
  const Tensor product = transposed(row ? a.unsqueeze(0) : a).matmul(rows_of_g);
  results[1] = column ? product.squeeze(-1) : product;
}

}  // namespace d2l::detail::derivatives
