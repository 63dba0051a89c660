// SPDX-License-Identifier: MIT
// Operands of matrix products in the layouts that BLAS supports: a leading dimension and a transpose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "kernels/scratch.h"

namespace d2l::backend::kernels {

/// A row-major matrix with `leading` elements from the start of one row to the next, or the transpose of such a matrix.
/// On the host, BLAS takes `leading` as a 32-bit integer.
struct BlasLayout {
  bool transposed;
  std::int64_t leading;

  friend bool operator==(const BlasLayout&, const BlasLayout&) = default;
};

/// The layout of a strided matrix; nullopt if its elements must be copied first.
inline std::optional<BlasLayout> blas_layout(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                                             std::int64_t column_stride) {
  const auto leading_of = [](std::int64_t count, std::int64_t length, std::int64_t stride,
                             std::int64_t step) -> std::optional<std::int64_t> {
    const std::int64_t shortest = std::max<std::int64_t>(length, 1);
    if (length > 1 && step != 1) return std::nullopt;
    if (count <= 1) return shortest;  // without a next row, the stride does not matter
    if (stride < shortest || stride > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    return stride;
  };
  if (const auto leading = leading_of(rows, columns, row_stride, column_stride)) return BlasLayout{false, *leading};
  if (const auto leading = leading_of(columns, rows, column_stride, row_stride)) return BlasLayout{true, *leading};
  return std::nullopt;
}

/// A strided operand of shape (batch, rows, columns); copied to scratch memory if BLAS does not support its layout.
template <class T>
class BlasOperand {
 public:
  /// `copy` is the kernel that copies elements of type T.
  BlasOperand(const KernelContext& context, const Operand& operand, std::int64_t batch, std::int64_t rows,
              std::int64_t columns, Kernel copy)
      : layout_(blas_layout(rows, columns, operand.strides[1], operand.strides[2])),
        scratch_(context, layout_ ? 0 : batch * rows * columns),
        data_(static_cast<const T*>(operand.data)),
        batch_stride_(batch > 1 ? operand.strides[0] : 0) {
    if (layout_) return;
    KernelArguments arguments{};
    arguments.rank = 3;
    arguments.operand_count = 2;
    arguments.sizes = {batch, rows, columns};
    arguments.operands[0].data = scratch_.data();
    arguments.operands[0].dtype = operand.dtype;
    arguments.operands[0].extent = batch * rows * columns * static_cast<std::int64_t>(sizeof(T));
    arguments.operands[0].strides = {rows * columns, columns, 1};
    arguments.operands[1] = operand;
    copy(context, arguments);
    layout_ = BlasLayout{false, columns};
    data_ = scratch_.data();
    batch_stride_ = rows * columns;
  }

  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] bool transposed() const { return layout_->transposed; }
  [[nodiscard]] std::int64_t leading() const { return layout_->leading; }
  [[nodiscard]] std::int64_t batch_stride() const { return batch_stride_; }

 private:
  std::optional<BlasLayout> layout_;
  Scratch<T> scratch_;
  const T* data_;
  std::int64_t batch_stride_;
};

}  // namespace d2l::backend::kernels
