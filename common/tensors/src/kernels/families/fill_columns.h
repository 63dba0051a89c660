// SPDX-License-Identifier: MIT
// fill_columns: the kernels im2col and col2im, which make a matrix product of a convolution and an image of its result.
#pragma once

#include "kernels/convolution.h"
#include "kernels/fill_table.h"
#include "kernels/policy.h"

namespace d2l::backend::kernels {

/// Writes the elements of one channel that one position multiplies.
template <class T>
struct ColumnsWork {
  T* out;
  const T* in;
  Convolution sizes;
  std::int64_t image_stride;
  std::int64_t row_stride;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    const Window& window = sizes.window;
    const std::int64_t column = i % sizes.columns;
    const std::int64_t row = i / sizes.columns % sizes.rows;
    const std::int64_t plane = i / sizes.columns / sizes.rows;  // image × channels + channel
    const std::int64_t top = row * window.stride[0] - window.padding[0];
    const std::int64_t left = column * window.stride[1] - window.padding[1];
    const T* from = in + plane * sizes.height * sizes.width;
    const std::int64_t area = window.size[0] * window.size[1];
    T* to = out + plane / sizes.channels * image_stride + plane % sizes.channels * area * row_stride +
            row * sizes.columns + column;
    for (std::int64_t a = 0; a < window.size[0]; ++a) {
      const std::int64_t y = top + a * window.dilation[0];
      for (std::int64_t b = 0; b < window.size[1]; ++b) {
        const std::int64_t x = left + b * window.dilation[1];
        const bool inside = y >= 0 && y < sizes.height && x >= 0 && x < sizes.width;
        *to = inside ? from[y * sizes.width + x] : T{0};
        to += row_stride;
      }
    }
  }
};

/// Adds up the columns' elements of one element of the input. Each thread gathers its own, so that the order of the sum
/// is always the same.
template <class T>
struct GatherColumnsWork {
  T* out;
  const T* in;
  Convolution sizes;
  std::int64_t image_stride;
  std::int64_t row_stride;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    const Window& window = sizes.window;
    const std::int64_t x = i % sizes.width + window.padding[1];
    const std::int64_t y = i / sizes.width % sizes.height + window.padding[0];
    const std::int64_t plane = i / sizes.width / sizes.height;
    const std::int64_t area = window.size[0] * window.size[1];
    const T* from = in + plane / sizes.channels * image_stride + plane % sizes.channels * area * row_stride;
    T sum{0};
    for (std::int64_t a = 0; a < window.size[0]; ++a) {
      const std::int64_t row = position(y - a * window.dilation[0], window.stride[0], sizes.rows);
      for (std::int64_t b = 0; b < window.size[1] && row >= 0; ++b) {
        const std::int64_t column = position(x - b * window.dilation[1], window.stride[1], sizes.columns);
        if (column >= 0) sum += from[(a * window.size[1] + b) * row_stride + row * sizes.columns + column];
      }
    }
    out[i] = sum;
  }

 private:
  /// The position whose window begins at `start`, of `count`; -1 if there is none.
  D2L_HOST_DEVICE static std::int64_t position(std::int64_t start, std::int64_t stride, std::int64_t count) {
    if (start < 0 || (stride != 1 && start % stride != 0)) return -1;
    const std::int64_t found = stride == 1 ? start : start / stride;
    return found < count ? found : -1;
  }
};

template <class Policy, class T>
void im2col(const KernelContext& context, const KernelArguments& arguments) {
  const Convolution sizes(arguments);
  const Operand& out = arguments.operands[0];
  const std::int64_t count = sizes.images * sizes.channels * sizes.positions();
  if (count == 0) return;
  run_indexed<Policy>(context, count,
                      ColumnsWork<T>{static_cast<T*>(out.data), static_cast<const T*>(arguments.operands[1].data),
                                     sizes, out.strides[0], out.strides[1]});
}

template <class Policy, class T>
void col2im(const KernelContext& context, const KernelArguments& arguments) {
  const Convolution sizes(arguments);
  const Operand& in = arguments.operands[1];
  const std::int64_t count = sizes.images * sizes.channels * sizes.pixels();
  if (count == 0) return;
  run_indexed<Policy>(context, count,
                      GatherColumnsWork<T>{static_cast<T*>(arguments.operands[0].data), static_cast<const T*>(in.data),
                                           sizes, in.strides[0], in.strides[1]});
}

template <class Policy>
void fill_columns(KernelTable& table) {
  add_kernels<Operation::im2col>(table, []<class T>(Type<T>) -> Kernel { return im2col<Policy, T>; });
  add_kernels<Operation::col2im>(table, []<class T>(Type<T>) -> Kernel { return col2im<Policy, T>; });
}

}  // namespace d2l::backend::kernels
