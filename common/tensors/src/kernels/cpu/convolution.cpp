// SPDX-License-Identifier: MIT
// Convolutions on the host, as matrix products by OpenBLAS of the weight and of columns of the input (im2col).
//
// The columns are made in blocks that fit in the cache. A block is a part of an image's positions, or all positions of
// several small images, for which the product copies the weight only once.
#include <cblas.h>

#include <algorithm>
#include <type_traits>

#include "kernels/cpu/blas_kernels.h"
#include "kernels/cpu/convolution_columns.h"
#include "kernels/cpu/host_policy.h"
#include "kernels/fill_table.h"
#include "kernels/scratch.h"

namespace d2l::backend {
namespace {

using kernels::ColumnBlock;
using kernels::Convolution;
using kernels::ImageColumns;

/// The largest count of multiplications that one thread computes alone, in double precision.
constexpr std::int64_t small_convolution = 1 << 18;
std::int64_t multiplications(const Convolution& sizes) {
  return sizes.images * sizes.outputs * sizes.positions() * sizes.terms();
}
/// The bytes of the columns of a block.
constexpr std::int64_t block_bytes = std::int64_t{1} << 16;
/// The fewest and the most positions of a block, where the result has so many.
constexpr std::int64_t min_positions = 256;
constexpr std::int64_t max_positions = 1024;

constexpr std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// A row-major matrix with `leading` elements from one row to the next, or its transpose.
template <class T>
struct Matrix {
  T* data;
  std::int64_t leading;
  bool transposed = false;
};

/// out (n, m) = a (n, k) × b (k, m) + beta × out, on the calling thread.
template <class T>
void multiply(std::int64_t n, std::int64_t k, std::int64_t m, const Matrix<T>& out, const Matrix<const T>& a,
              const Matrix<const T>& b, T beta) {
  const auto transpose = [](const Matrix<const T>& matrix) { return matrix.transposed ? CblasTrans : CblasNoTrans; };
  const auto gemm = [&](auto function) {
    function(CblasRowMajor, transpose(a), transpose(b), static_cast<blasint>(n), static_cast<blasint>(m),
             static_cast<blasint>(k), T{1}, a.data, static_cast<blasint>(a.leading), b.data,
             static_cast<blasint>(b.leading), beta, out.data, static_cast<blasint>(out.leading));
  };
  if constexpr (std::is_same_v<T, float>) {
    gemm(cblas_sgemm);
  } else {
    gemm(cblas_dgemm);
  }
}

template <class T>
class HostConvolution {
 public:
  HostConvolution(const KernelContext& context, const KernelArguments& arguments)
      : context_(context), sizes_(arguments), arguments_(arguments) {
    if (multiplications(sizes_) <= small_convolution) context_.threads = 1;
    const std::int64_t columns =
        std::clamp(block_bytes / (terms() * std::int64_t{sizeof(T)}), min_positions, max_positions);
    const std::int64_t share = divided_up(sizes_.images * sizes_.groups, context_.threads);
    part_positions_ = positions();
    if (positions() < std::min(min_positions, terms()) && share > 1) {
      images_per_block_ = std::clamp<std::int64_t>(2 * min_positions / positions(), 1, share);
    } else {
      const auto wanted = divided_up(context_.threads, sizes_.images * sizes_.groups);
      const auto parts =
          std::max(divided_up(positions(), columns), std::min(wanted, divided_up(positions(), std::int64_t{32})));
      part_positions_ = (divided_up(positions(), parts) + 15) / 16 * 16;  // a multiple of a vector
      parts_per_image_ = divided_up(positions(), part_positions_);
    }
    image_blocks_ = divided_up(sizes_.images, images_per_block_);
  }

  /// Blocks of all groups are divided among the threads.
  void forward() const {
    const std::int64_t count = image_blocks_ * sizes_.groups * parts_per_image_;
    const std::int64_t gathered = images_per_block_ > 1 ? sizes_.group_outputs() * widest() : 0;
    const std::int64_t columns = needs_columns() ? terms() * widest() : 0;
    divide(count, columns + gathered, [&](std::int64_t begin, std::int64_t end, T* memory) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t group = i / parts_per_image_ % sizes_.groups;
        write_block(block_at(i / parts_per_image_ / sizes_.groups, i % parts_per_image_), group, memory,
                    memory + columns);
      }
    });
  }

  /// A thread computes some channels of some images.
  void differentiate_input() const {
    const std::int64_t shares = channel_shares(divided_up(context_.threads, image_blocks_ * sizes_.groups));
    const std::int64_t gathered = images_per_block_ > 1 ? sizes_.group_outputs() * widest() : 0;
    const std::int64_t columns = needs_columns() ? largest_share(shares) * sizes_.area() * widest() : 0;
    divide(image_blocks_ * sizes_.groups * shares, columns + gathered,
           [&](std::int64_t begin, std::int64_t end, T* memory) {
             for (std::int64_t i = begin; i < end; ++i) {
               const auto channels = share_of_channels(i % shares, shares);
               write_channels(i / shares / sizes_.groups, i / shares % sizes_.groups, channels, memory,
                              memory + columns);
             }
           });
  }

  /// If there are enough channels, each thread computes the gradients of some. Else each adds up the gradients of some
  /// blocks, and the sums are added up afterwards, always in the same order.
  void differentiate_weight() const {
    const bool by_channel = sizes_.channels >= std::int64_t{4} * context_.threads;
    const std::int64_t shares = by_channel ? channel_shares(divided_up(context_.threads, sizes_.groups)) : 1;
    const std::int64_t blocks = image_blocks_ * parts_per_image_;
    const std::int64_t parts = by_channel ? 1 : std::min<std::int64_t>(context_.threads, blocks);
    const std::int64_t elements = sizes_.outputs * terms();
    const std::int64_t columns = needs_columns() ? largest_share(shares) * sizes_.area() * widest() : 0;
    const std::int64_t gathered = images_per_block_ > 1 ? sizes_.group_outputs() * widest() : 0;
    const kernels::Scratch<T> sums(context_, (parts - 1) * elements);
    T* const out = at(0);
    divide(sizes_.groups * shares * parts, columns + gathered, [&](std::int64_t begin, std::int64_t end, T* memory) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t part = i / shares / sizes_.groups;
        add_blocks(blocks * part / parts, blocks * (part + 1) / parts, i / shares % sizes_.groups,
                   share_of_channels(i % shares, shares), part == 0 ? out : sums.data() + (part - 1) * elements, memory,
                   memory + columns);
      }
    });
    for (std::int64_t part = 1; part < parts; ++part) {
      const T* const more = sums.data() + (part - 1) * elements;
      for (std::int64_t i = 0; i < elements; ++i) out[i] += more[i];
    }
  }

  /// The same of a small convolution: each sum is in the order of the positions, as in PyTorch, whose results can
  /// otherwise not be compared where large terms cancel.
  void differentiate_small_weight() const {
    const kernels::Scratch<T> memory(context_, terms() * positions());
    const ImageColumns<T> columns(sizes_);
    std::fill_n(at(0), sizes_.outputs * terms(), T{0});
    for (std::int64_t i = 0; i < sizes_.images * sizes_.groups; ++i) {
      const std::int64_t image = i / sizes_.groups;
      const std::int64_t group = i % sizes_.groups;
      columns.write(memory.data(), positions(), channels_of(at(2), image, group), sizes_.group_channels(), 0,
                    positions());
      for (std::int64_t o = 0; o < sizes_.group_outputs(); ++o) {
        const T* const grad = outputs_of(at(1), image, group) + o * positions();
        T* const sums = at(0) + (group * sizes_.group_outputs() + o) * terms();
        for (std::int64_t term = 0; term < terms(); ++term) {
          const T* const column = memory.data() + term * positions();
          for (std::int64_t p = 0; p < positions(); ++p) sums[term] += grad[p] * column[p];
        }
      }
    }
  }

 private:
  /// Channels of a group.
  struct Channels {
    std::int64_t begin;
    std::int64_t end;
  };

  [[nodiscard]] T* at(std::size_t operand) const { return static_cast<T*>(arguments_.operands[operand].data); }
  [[nodiscard]] std::int64_t positions() const { return sizes_.positions(); }
  [[nodiscard]] std::int64_t terms() const { return sizes_.terms(); }
  [[nodiscard]] bool needs_columns() const { return !sizes_.is_plain() || images_per_block_ > 1; }
  /// The most positions of a block.
  [[nodiscard]] std::int64_t widest() const { return images_per_block_ * std::min(part_positions_, positions()); }
  [[nodiscard]] ColumnBlock block_at(std::int64_t image_block, std::int64_t part) const {
    const std::int64_t image = image_block * images_per_block_;
    return {image, std::min(images_per_block_, sizes_.images - image), part * part_positions_,
            std::min((part + 1) * part_positions_, positions())};
  }
  [[nodiscard]] std::int64_t channel_shares(std::int64_t wanted) const {
    return std::clamp<std::int64_t>(wanted, 1, sizes_.group_channels());
  }
  [[nodiscard]] Channels share_of_channels(std::int64_t share, std::int64_t shares) const {
    return {sizes_.group_channels() * share / shares, sizes_.group_channels() * (share + 1) / shares};
  }
  [[nodiscard]] std::int64_t largest_share(std::int64_t shares) const {
    return divided_up(sizes_.group_channels(), shares);
  }
  [[nodiscard]] T* channels_of(T* images, std::int64_t image, std::int64_t group) const {
    return images + (image * sizes_.channels + group * sizes_.group_channels()) * sizes_.pixels();
  }
  [[nodiscard]] T* outputs_of(T* images, std::int64_t image, std::int64_t group) const {
    return images + (image * sizes_.outputs + group * sizes_.group_outputs()) * positions();
  }

  /// Calls part(begin, end, memory) for ranges of work on the threads, each with so many elements of memory.
  template <class Part>
  void divide(std::int64_t count, std::int64_t elements, const Part& part) const {
    const std::int64_t parts = std::min<std::int64_t>(count, context_.threads);
    const std::int64_t step = (elements + 15) / 16 * 16;
    const kernels::Scratch<T> memory(context_, parts * step);
    kernels::for_each_part(context_, parts, [&](std::int64_t begin, std::int64_t end) {
      const kernels::TeamSize alone(1);
      for (std::int64_t i = begin; i < end; ++i) {
        part(count * i / parts, count * (i + 1) / parts, memory.data() + i * step);
      }
    });
  }

  /// The columns of some channels: the input itself where it is possible, else made in `memory`.
  [[nodiscard]] Matrix<const T> columns_of(const ColumnBlock& block, std::int64_t group, const Channels& channels,
                                           T* images, T* memory) const {
    if (!needs_columns()) {
      return {channels_of(images, block.image, group) + channels.begin * sizes_.pixels() + block.begin, positions()};
    }
    const ImageColumns<T> columns(sizes_);
    for (std::int64_t i = 0; i < block.images; ++i) {
      const T* const image = channels_of(images, block.image + i, group) + channels.begin * sizes_.pixels();
      columns.write(memory + i * positions(), block.width(), image, channels.end - channels.begin, block.begin,
                    block.end);
    }
    return {memory, block.width()};
  }

  /// The gradients of a block: in place for a part of an image, else side by side in `memory`.
  [[nodiscard]] Matrix<const T> gradients_of(const ColumnBlock& block, std::int64_t group, T* memory) const {
    T* const grad = outputs_of(at(1), block.image, group);
    if (images_per_block_ == 1) return {grad + block.begin, positions()};
    for (std::int64_t i = 0; i < block.images; ++i) {
      for (std::int64_t o = 0; o < sizes_.group_outputs(); ++o) {
        std::copy_n(outputs_of(at(1), block.image + i, group) + o * positions(), positions(),
                    memory + o * block.width() + i * positions());
      }
    }
    return {memory, block.width()};
  }

  void write_block(const ColumnBlock& block, std::int64_t group, T* memory, T* gathered) const {
    const std::int64_t outputs = sizes_.group_outputs();
    const T* const bias = arguments_.operand_count == 4 ? at(3) + group * outputs : nullptr;
    const auto columns = columns_of(block, group, {0, sizes_.group_channels()}, at(1), memory);
    const Matrix<const T> weight{at(2) + group * outputs * terms(), terms()};
    T* const out = outputs_of(at(0), block.image, group) + block.begin;
    if (images_per_block_ == 1) {
      for (std::int64_t o = 0; o < outputs && bias != nullptr; ++o) {
        std::fill_n(out + o * positions(), block.width(), bias[o]);
      }
      multiply<T>(outputs, terms(), block.width(), {out, positions()}, weight, columns, bias != nullptr ? T{1} : T{0});
      return;
    }
    multiply<T>(outputs, terms(), block.width(), {gathered, block.width()}, weight, columns, T{0});
    for (std::int64_t i = 0; i < block.images; ++i) {
      for (std::int64_t o = 0; o < outputs; ++o) {
        const T* const from = gathered + o * block.width() + i * positions();
        T* const to = outputs_of(at(0), block.image + i, group) + o * positions();
        const T added = bias != nullptr ? bias[o] : T{0};
        for (std::int64_t p = 0; p < positions(); ++p) to[p] = from[p] + added;
      }
    }
  }

  void write_channels(std::int64_t image_block, std::int64_t group, const Channels& channels, T* memory,
                      T* gathered) const {
    const std::int64_t outputs = sizes_.group_outputs();
    const std::int64_t count = channels.end - channels.begin;
    const std::int64_t first = channels.begin * sizes_.pixels();
    const Matrix<const T> weight{at(2) + group * outputs * terms() + channels.begin * sizes_.area(), terms(), true};
    const ImageColumns<T> columns(sizes_);
    for (std::int64_t part = 0; part < parts_per_image_; ++part) {
      const auto block = block_at(image_block, part);
      const auto grad = gradients_of(block, group, gathered);
      if (!needs_columns()) {
        T* const out = channels_of(at(0), block.image, group) + first + block.begin;
        multiply<T>(count, outputs, block.width(), {out, positions()}, weight, grad, T{0});
        continue;
      }
      multiply<T>(count * sizes_.area(), outputs, block.width(), {memory, block.width()}, weight, grad, T{0});
      for (std::int64_t i = 0; i < block.images; ++i) {
        T* const out = channels_of(at(0), block.image + i, group) + first;
        if (part == 0) std::fill_n(out, count * sizes_.pixels(), T{0});
        columns.add(out, memory + i * positions(), block.width(), count, block.begin, block.end);
      }
    }
  }

  void add_blocks(std::int64_t begin, std::int64_t end, std::int64_t group, const Channels& channels, T* sum, T* memory,
                  T* gathered) const {
    const std::int64_t outputs = sizes_.group_outputs();
    T* const out = sum + group * outputs * terms() + channels.begin * sizes_.area();
    for (std::int64_t i = begin; i < end; ++i) {
      const auto block = block_at(i / parts_per_image_, i % parts_per_image_);
      auto columns = columns_of(block, group, channels, at(2), memory);
      columns.transposed = true;
      multiply<T>(outputs, block.width(), (channels.end - channels.begin) * sizes_.area(), {out, terms()},
                  gradients_of(block, group, gathered), columns, i == begin ? T{0} : T{1});
    }
  }

  KernelContext context_;
  Convolution sizes_;
  const KernelArguments& arguments_;
  std::int64_t images_per_block_ = 1;
  std::int64_t parts_per_image_ = 1;
  std::int64_t part_positions_ = 0;
  std::int64_t image_blocks_ = 0;
};

template <class T>
void compute(const KernelContext& context, const KernelArguments& arguments, Operation operation) {
  const HostConvolution<T> convolution(context, arguments);
  if (operation == Operation::conv2d) convolution.forward();
  if (operation == Operation::conv2d_backward_input) convolution.differentiate_input();
  if (operation == Operation::conv2d_backward_weight) convolution.differentiate_weight();
}

/// The same of floats in double precision: a small convolution takes hardly longer, and each sum is rounded once.
void compute_in_double(const KernelContext& context, const KernelArguments& arguments, Operation operation) {
  KernelArguments converted = arguments;
  const auto count_of = [](const Operand& operand) {
    return operand.extent / static_cast<std::int64_t>(sizeof(float));
  };
  std::int64_t count = 0;
  for (int i = 0; i < arguments.operand_count; ++i) count += count_of(arguments.operands[static_cast<std::size_t>(i)]);
  const kernels::Scratch<double> memory(context, count);
  double* next = memory.data();
  for (std::size_t i = 0; i < static_cast<std::size_t>(arguments.operand_count); ++i) {
    const Operand& given = arguments.operands[i];
    converted.operands[i].data = next;
    if (i > 0) std::copy_n(static_cast<const float*>(given.data), count_of(given), next);
    next += count_of(given);
  }
  compute<double>(context, converted, operation);
  const double* const result = memory.data();
  std::transform(result, result + count_of(arguments.operands[0]), static_cast<float*>(arguments.operands[0].data),
                 [](double value) { return static_cast<float>(value); });
}

template <class T, Operation operation>
void convolve(const KernelContext& context, const KernelArguments& arguments) {
  const Convolution sizes(arguments);
  if (sizes.is_empty()) return;
  if constexpr (std::is_same_v<T, float>) {
    if (multiplications(sizes) <= small_convolution) {
      if (operation != Operation::conv2d_backward_weight) return compute_in_double(context, arguments, operation);
      return HostConvolution<T>(context, arguments).differentiate_small_weight();
    }
  }
  compute<T>(context, arguments, operation);
}

template <class T>
void add_convolutions(KernelTable& table, ScalarType type) {
  kernels::entry(table, Operation::conv2d, type) = convolve<T, Operation::conv2d>;
  kernels::entry(table, Operation::conv2d_backward_input, type) = convolve<T, Operation::conv2d_backward_input>;
  kernels::entry(table, Operation::conv2d_backward_weight, type) = convolve<T, Operation::conv2d_backward_weight>;
}

}  // namespace

void add_blas_convolutions(KernelTable& table) {
  add_convolutions<float>(table, kFloat);
  add_convolutions<double>(table, kDouble);
}

}  // namespace d2l::backend
