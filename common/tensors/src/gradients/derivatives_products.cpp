// SPDX-License-Identifier: MIT
// Derivatives of matrix products. a and b are the factors, g the gradient of the result.
#include "autograd/recorded_operation.h"
#include "d2l/ops.h"

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

void BmmBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (operation.wants(0)) results[0] = g.bmm(transposed(operation.saved(1)));
  if (operation.wants(1)) results[1] = transposed(operation.saved(0)).bmm(g);
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
  const bool row = operation.integers[0] == 1;     // a is a vector
  const bool column = operation.integers[1] == 1;  // b is a vector
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
