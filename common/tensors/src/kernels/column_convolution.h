// SPDX-License-Identifier: MIT
// ColumnConvolution: convolutions by the kernels of a table, for devices whose matrix product is fast: im2col,
// products, and col2im.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/convolution.h"
#include "kernels/kernel_table.h"
#include "kernels/scratch.h"

namespace d2l::backend::kernels {

/// The kernels are those of table(), which has im2col, col2im, matmul and the copies of T.
template <class T, const KernelTable& (*table)()>
class ColumnConvolution {
 public:
  static void conv2d(const KernelContext& context, const KernelArguments& arguments) {
    ColumnConvolution(context, arguments).forward();
  }
  static void backward_input(const KernelContext& context, const KernelArguments& arguments) {
    ColumnConvolution(context, arguments).differentiate_input();
  }
  static void backward_weight(const KernelContext& context, const KernelArguments& arguments) {
    ColumnConvolution(context, arguments).differentiate_weight();
  }

 private:
  using Strides = std::array<std::int64_t, 3>;

  /// The columns of so many images are in scratch memory at the same time.
  static constexpr std::int64_t column_bytes = std::int64_t{64} << 20;

  ColumnConvolution(const KernelContext& context, const KernelArguments& arguments)
      : context_(context),
        arguments_(arguments),
        sizes_(arguments),
        terms_(sizes_.terms()),
        positions_(sizes_.positions()),
        column_rows_(sizes_.groups * terms_),
        weight_step_(sizes_.group_outputs() * terms_),
        column_step_(terms_ * positions_),
        output_step_(sizes_.group_outputs() * positions_),
        at_once_(std::clamp<std::int64_t>(
            column_bytes / std::max<std::int64_t>(column_rows_ * positions_ * std::int64_t{sizeof(T)}, 1), 1,
            std::max<std::int64_t>(sizes_.images, 1))) {}

  [[nodiscard]] T* at(std::size_t operand, std::int64_t offset) const {
    return static_cast<T*>(arguments_.operands[operand].data) + offset;
  }
  /// An operand of the dtype of all of them.
  [[nodiscard]] Operand strided(T* data, const Strides& strides) const {
    Operand result;
    result.data = data;
    result.dtype = arguments_.operands[0].dtype;
    std::copy(strides.begin(), strides.end(), result.strides.begin());
    return result;
  }

  /// out (batch, n, m) contiguous = a (batch, n, k) × b (batch, k, m) + beta × out.
  void multiply(const std::array<std::int64_t, 4>& sizes, T* out, const Operand& a, const Operand& b, int beta) const {
    KernelArguments product{};
    product.rank = 4;
    product.operand_count = 3;
    std::copy(sizes.begin(), sizes.end(), product.sizes.begin());
    product.operands[0] = strided(out, {sizes[1] * sizes[3], sizes[3], 1});
    product.operands[1] = a;
    product.operands[2] = b;
    product.parameters[0].real = beta;
    table().find(Operation::matmul, product)(context_, product);
  }
  /// Copies an array (sizes) to another of the same shape.
  void copy(const Strides& sizes, const Operand& out, const Operand& in) const {
    KernelArguments copied{};
    copied.rank = 3;
    copied.operand_count = 2;
    std::copy(sizes.begin(), sizes.end(), copied.sizes.begin());
    copied.operands[0] = out;
    copied.operands[1] = in;
    table().find(Operation::copy, copied)(context_, copied);
  }
  /// im2col or col2im of `count` images.
  void convert(Operation operation, std::int64_t count, const Operand& out, const Operand& in) const {
    KernelArguments converted = arguments_;
    converted.operand_count = 2;
    converted.sizes[0] = count;
    converted.operands[0] = out;
    converted.operands[1] = in;
    table().find(operation, converted)(context_, converted);
  }
  /// part(first image, count of images) for all images, in parts that fit in the scratch memory.
  template <class Part>
  void for_each_part(const Part& part) const {
    for (std::int64_t first = 0; first < sizes_.images; first += at_once_) {
      part(first, std::min(at_once_, sizes_.images - first));
    }
  }
  [[nodiscard]] std::int64_t scratch_elements() const {
    return sizes_.is_plain() ? 0 : at_once_ * column_rows_ * positions_;
  }

  void forward() const {
    const Scratch<T> columns(context_, scratch_elements());
    const std::int64_t group_outputs = sizes_.group_outputs();
    const bool has_bias = arguments_.operand_count == 4;
    if (has_bias) {
      copy({sizes_.images, sizes_.outputs, positions_}, strided(at(0, 0), {sizes_.outputs * positions_, positions_, 1}),
           strided(at(3, 0), {0, 1, 0}));
    }
    for_each_part([&](std::int64_t first, std::int64_t count) {
      T* right = columns.data();
      T* const input = at(1, first * sizes_.channels * sizes_.pixels());
      if (sizes_.is_plain()) {
        right = input;
      } else {
        convert(Operation::im2col, count, strided(right, {column_rows_ * positions_, positions_, 1}),
                strided(input, {}));
      }
      T* out = at(0, first * sizes_.outputs * positions_);
      if (sizes_.groups == 1) {
        multiply({count, group_outputs, terms_, positions_}, out, strided(at(2, 0), {0, terms_, 1}),
                 strided(right, {column_step_, positions_, 1}), has_bias ? 1 : 0);
        return;
      }
      for (std::int64_t i = 0; i < count; ++i) {
        multiply({sizes_.groups, group_outputs, terms_, positions_}, out + i * sizes_.outputs * positions_,
                 strided(at(2, 0), {weight_step_, terms_, 1}),
                 strided(right + i * column_rows_ * positions_, {column_step_, positions_, 1}), has_bias ? 1 : 0);
      }
    });
  }

  void differentiate_input() const {
    const Scratch<T> columns(context_, scratch_elements());
    for_each_part([&](std::int64_t first, std::int64_t count) {
      T* const out = at(0, first * sizes_.channels * sizes_.pixels());
      T* const made = sizes_.is_plain() ? out : columns.data();
      T* const grad = at(1, first * sizes_.outputs * positions_);
      if (sizes_.groups == 1) {
        multiply({count, terms_, sizes_.outputs, positions_}, made, strided(at(2, 0), {0, 1, terms_}),
                 strided(grad, {output_step_, positions_, 1}), 0);
      } else {
        for (std::int64_t i = 0; i < count; ++i) {
          multiply({sizes_.groups, terms_, sizes_.group_outputs(), positions_}, made + i * column_rows_ * positions_,
                   strided(at(2, 0), {weight_step_, 1, terms_}),
                   strided(grad + i * sizes_.outputs * positions_, {output_step_, positions_, 1}), 0);
        }
      }
      if (sizes_.is_plain()) return;
      convert(Operation::col2im, count, strided(out, {}), strided(made, {column_rows_ * positions_, positions_, 1}));
    });
  }

  /// One product adds up the images of a part: their columns, and their gradients, are side by side.
  void differentiate_weight() const {
    const Scratch<T> columns(context_, at_once_ * column_rows_ * positions_);
    const Scratch<T> grads(context_, at_once_ * sizes_.outputs * positions_);
    for_each_part([&](std::int64_t first, std::int64_t count) {
      const std::int64_t side = count * positions_;
      convert(Operation::im2col, count, strided(columns.data(), {positions_, side, 1}),
              strided(at(2, first * sizes_.channels * sizes_.pixels()), {}));
      copy({sizes_.outputs, count, positions_}, strided(grads.data(), {side, positions_, 1}),
           strided(at(1, first * sizes_.outputs * positions_), {positions_, sizes_.outputs * positions_, 1}));
      multiply({sizes_.groups, sizes_.group_outputs(), side, terms_}, at(0, 0),
               strided(grads.data(), {sizes_.group_outputs() * side, side, 1}),
               strided(columns.data(), {terms_ * side, 1, side}), first == 0 ? 0 : 1);
    });
  }

  const KernelContext& context_;
  const KernelArguments& arguments_;
  Convolution sizes_;
  std::int64_t terms_;
  std::int64_t positions_;
  std::int64_t column_rows_;  ///< of the columns of an image: the terms of all groups
  // From one group to the next.
  std::int64_t weight_step_;
  std::int64_t column_step_;
  std::int64_t output_step_;
  std::int64_t at_once_;  ///< images
};

}  // namespace d2l::backend::kernels
