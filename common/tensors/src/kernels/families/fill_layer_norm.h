// SPDX-License-Identifier: MIT
// fill_layer_norm: the kernels of layer normalisation and of its gradients. One pass sums a row, and a second one,
// while the row is in the cache, writes the result.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "kernels/fill_table.h"
#include "kernels/two_sums.h"

namespace d2l::backend::kernels {

// A kind of work on rows has line(row), what a row needs; term(line, i); finish(line, sums), the numbers that the
// result depends on; keep(row, numbers), which one thread calls; and write(line, numbers, i).

template <class T, bool weighted, bool biased>
struct LayerNormWork {
  T* out;
  const T* in;
  double* statistics;  ///< (2, rows)
  const T* weight;
  const T* bias;
  std::int64_t rows;
  std::int64_t n;
  double eps;

  struct Line {
    T* out;
    const T* in;
    double shift;
  };
  struct Numbers {
    double mean;
    double factor;
    Standardised<T> standardised;
  };

  D2L_HOST_DEVICE D2L_ALWAYS_INLINE Line line(std::int64_t row) const {
    return {out + row * n, in + row * n, shift_of(in[row * n])};
  }
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE TwoSums term(const Line& line, std::int64_t i) const {
    const double difference = static_cast<double>(line.in[i]) - line.shift;
    return {difference, difference * difference};
  }
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE Numbers finish(const Line& line, TwoSums sums) const {
    const auto [mean, variance] = statistics_of(sums, line.shift, static_cast<double>(n));
    const double factor = 1 / std::sqrt(variance + eps);
    return {mean, factor, {mean, factor}};
  }
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE void keep(std::int64_t row, const Numbers& numbers) const {
    statistics[row] = numbers.mean;
    statistics[rows + row] = numbers.factor;
  }
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE void write(const Line& line, const Numbers& numbers, std::int64_t i) const {
    T value = numbers.standardised.of(line.in[i]);
    if constexpr (weighted) value *= weight[i];
    if constexpr (biased) value += bias[i];
    line.out[i] = value;
  }
};

/// out = factor × (g − mean(g) − x̂ × mean(g × x̂)), with g = grad × weight and x̂ the normalised input.
template <class T, bool weighted>
struct LayerNormBackwardWork {
  T* out;
  const T* grad;
  const T* in;
  const double* statistics;  ///< (2, rows)
  const T* weight;
  std::int64_t rows;
  std::int64_t n;

  struct Line {
    T* out;
    const T* grad;
    const T* in;
    Standardised<T> standardised;
  };
  /// The result is scale × g − slope × (x − high) − shift.
  struct Numbers {
    T scale;
    T slope;
    T shift;
  };

  D2L_HOST_DEVICE D2L_ALWAYS_INLINE Line line(std::int64_t row) const {
    return {out + row * n, grad + row * n, in + row * n, {statistics[row], statistics[rows + row]}};
  }
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE T slope(const Line& line, std::int64_t i) const {
    if constexpr (weighted) return line.grad[i] * weight[i];
    return line.grad[i];
  }
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE TwoTerms<T> term(const Line& line, std::int64_t i) const {
    const T g = slope(line, i);
    return {g * (line.in[i] - line.standardised.high), g};
  }
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE Numbers finish(const Line& line, TwoSums sums) const {
    const auto count = static_cast<double>(n);
    const auto low = static_cast<double>(line.standardised.low);
    const auto factor = static_cast<double>(line.standardised.factor);
    const double slope = (sums.first - low * sums.second) / count * factor * factor * factor;
    return {line.standardised.factor, static_cast<T>(slope),
            static_cast<T>(factor * sums.second / count - slope * low)};
  }
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE void keep(std::int64_t /*row*/, const Numbers& /*numbers*/) const {}
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE void write(const Line& line, const Numbers& numbers, std::int64_t i) const {
    line.out[i] =
        numbers.scale * slope(line, i) - numbers.slope * (line.in[i] - line.standardised.high) - numbers.shift;
  }
};

/// The loops of a host over a row.
template <class Work>
struct NormalisedRow {
  static D2L_ALWAYS_INLINE void loops(const Work& given, std::int64_t row) {
    const Work work = given;
    const auto line = work.line(row);
    const auto numbers =
        work.finish(line, two_sums_of(work.n, [&work, &line](std::int64_t i) { return work.term(line, i); }));
    work.keep(row, numbers);
    const std::int64_t n = work.n;
    D2L_VECTORISE
    for (std::int64_t i = 0; i < n; ++i) work.write(line, numbers, i);
  }
  D2L_NEVER_INLINE static void baseline(const Work& work, std::int64_t row) { loops(work, row); }
  D2L_WIDE static void wide(const Work& work, std::int64_t row) { loops(work, row); }
  D2L_WIDEST static void widest(const Work& work, std::int64_t row) { loops(work, row); }
  static void row(const Work& work, std::int64_t row) {
    if (widest_vectors()) return widest(work, row);
    wide_vectors() ? wide(work, row) : baseline(work, row);
  }
};

/// A row by one thread of a GPU.
template <class Work>
struct NormalisedRowOfThread {
  Work work;

  D2L_HOST_DEVICE void operator()(std::int64_t row) const {
    const auto line = work.line(row);
    TwoSums sums{0, 0};
    for (std::int64_t i = 0; i < work.n; ++i) sums.add(work.term(line, i));
    const auto numbers = work.finish(line, sums);
    work.keep(row, numbers);
    for (std::int64_t i = 0; i < work.n; ++i) work.write(line, numbers, i);
  }
};

/// A row by a block of threads.
template <class Work, int threads>
struct NormalisedRowOfBlock {
  Work work;

  template <class Block>
  D2L_DEVICE void operator()(const Block& block) const {
    const auto line = work.line(block.index());
    TwoSums sums{0, 0};
    for (std::int64_t i = block.thread(); i < work.n; i += threads) sums.add(work.term(line, i));
    const auto numbers = work.finish(line, sum_of_block<threads>(block, sums));
    if (block.thread() == 0) work.keep(block.index(), numbers);
    for (std::int64_t i = block.thread(); i < work.n; i += threads) work.write(line, numbers, i);
  }
};

template <class Policy, class Work>
void normalise_rows(const KernelContext& context, const Work& work) {
  constexpr std::int64_t shortest_block = 32;
  if (work.rows * work.n == 0) return;
  if constexpr (Policy::on_device) {
    if constexpr (has_blocks<Policy>) {
      if (work.n >= shortest_block) {
        constexpr int threads = Policy::block_threads;
        Policy::for_each_block(context, work.rows, threads * sizeof(TwoSums),
                               NormalisedRowOfBlock<Work, threads>{work});
        return;
      }
    }
    Policy::for_each(context, work.rows, NormalisedRowOfThread<Work>{work});
  } else {
    const bool alone = work.rows * work.n < parallel_threshold;
    Policy::for_each(alone ? on_one_thread(context) : context, work.rows,
                     [&work](std::int64_t row) { NormalisedRow<Work>::row(work, row); });
  }
}

/// The gradients of weight and bias: for each element of a row, sums over the rows.
template <class T>
struct LayerNormParameterTerms {
  const T* grad;
  const T* in;
  const double* statistics;  ///< (2, rows)
  std::int64_t rows;

  D2L_HOST_DEVICE D2L_ALWAYS_INLINE TwoTerms<T> at(std::int64_t at, std::int64_t row, std::int64_t /*column*/) const {
    const Standardised<T> standardised(statistics[row], statistics[rows + row]);
    return {grad[at] * standardised.of(in[at]), grad[at]};
  }
};

template <class T>
struct WriteTwoSums {
  T* first;
  T* second;

  D2L_HOST_DEVICE void operator()(std::int64_t c, TwoSums sums) const {
    first[c] = static_cast<T>(sums.first);
    second[c] = static_cast<T>(sums.second);
  }
};

/// All gradients, one after the other.
template <class Policy, class T, bool weighted>
void normalise_then_sum(const KernelContext& context, const LayerNormBackwardWork<T, weighted>& work,
                        const LayerNormParameterTerms<T>& terms, const WriteTwoSums<T>& write) {
  normalise_rows<Policy>(context, work);
  sum_channels<Policy>(context, {work.rows, work.n, 1}, terms, write);
}

/// All gradients in one pass over the rows on a host: the sums of the parameters' are made while the rows are in the
/// cache.
template <class Policy, class T, bool weighted>
void normalise_and_sum(const KernelContext& context, const LayerNormBackwardWork<T, weighted>& work,
                       const LayerNormParameterTerms<T>& terms, const WriteTwoSums<T>& write) {
  using InputRow = NormalisedRow<LayerNormBackwardWork<T, weighted>>;
  using Sums = TwoSumLoops<LayerNormParameterTerms<T>>;
  constexpr std::int64_t max_partial_sums = 65536;
  constexpr std::int64_t min_parts = 8;  // with fewer, threads have nothing to do
  const ChannelSizes sizes{work.rows, work.n, 1};
  const std::int64_t parts = parts_of_channels(sizes, parallel_threshold, max_partial_sums);
  if (parts < min_parts) return normalise_then_sum<Policy>(context, work, terms, write);
  const std::int64_t rows_at_once = std::max<std::int64_t>(parallel_threshold / work.n / 4 * 4, 4);
  const Scratch<TwoSums> partial(context, work.n * parts);
  TwoSums* const results = partial.data();
  const auto piece = [&work, &terms, &sizes, parts, rows_at_once, results](std::int64_t part) {
    TwoSums* const to = results + part * sizes.channels;
    std::fill_n(to, sizes.channels, TwoSums{0, 0});
    std::array<TwoSums, channel_tile> few;
    const std::int64_t end = sizes.outer * (part + 1) / parts;
    for (std::int64_t begin = sizes.outer * part / parts; begin < end; begin += rows_at_once) {
      const std::int64_t last = std::min(begin + rows_at_once, end);
      for (std::int64_t row = begin; row < last; ++row) InputRow::row(work, row);
      for (std::int64_t first = 0; first < sizes.channels; first += channel_tile) {
        const std::int64_t width = std::min(channel_tile, sizes.channels - first);
        Sums::tile(terms, sizes, first, width, begin, last, few.data());
        for (std::int64_t c = 0; c < width; ++c) to[first + c].add(few[static_cast<std::size_t>(c)]);
      }
    }
  };
  Policy::for_each(context, parts, piece);
  const JoinParts<WriteTwoSums<T>> join{write, results, sizes.channels, parts};
  for (std::int64_t c = 0; c < sizes.channels; ++c) join(c);
}

/// Operand `place` as an array of T.
template <class T>
T* array_at(const KernelArguments& arguments, std::size_t place) {
  return static_cast<T*>(arguments.operands[place].data);
}

template <class Policy, class T, bool weighted, bool biased>
void layer_norm_with(const KernelContext& context, const KernelArguments& arguments) {
  normalise_rows<Policy>(context,
                         LayerNormWork<T, weighted, biased>{
                             array_at<T>(arguments, 0), array_at<const T>(arguments, 1), array_at<double>(arguments, 2),
                             weighted ? array_at<const T>(arguments, 3) : nullptr,
                             biased ? array_at<const T>(arguments, weighted ? 4 : 3) : nullptr, arguments.sizes[0],
                             arguments.sizes[1], arguments.parameters[0].real});
}

template <class Policy, class T>
void layer_norm(const KernelContext& context, const KernelArguments& arguments) {
  const bool weighted = (arguments.parameters[0].integer & has_weight) != 0;
  const bool biased = (arguments.parameters[0].integer & has_bias) != 0;
  if (weighted) {
    biased ? layer_norm_with<Policy, T, true, true>(context, arguments)
           : layer_norm_with<Policy, T, true, false>(context, arguments);
  } else {
    biased ? layer_norm_with<Policy, T, false, true>(context, arguments)
           : layer_norm_with<Policy, T, false, false>(context, arguments);
  }
}

template <class Policy, class T, bool weighted>
void layer_norm_backward_with(const KernelContext& context, const KernelArguments& arguments) {
  normalise_rows<Policy>(
      context, LayerNormBackwardWork<T, weighted>{array_at<T>(arguments, 0), array_at<const T>(arguments, 1),
                                                  array_at<const T>(arguments, 2), array_at<const double>(arguments, 3),
                                                  weighted ? array_at<const T>(arguments, 4) : nullptr,
                                                  arguments.sizes[0], arguments.sizes[1]});
}

template <class Policy, class T>
void layer_norm_backward(const KernelContext& context, const KernelArguments& arguments) {
  (arguments.parameters[0].integer & has_weight) != 0 ? layer_norm_backward_with<Policy, T, true>(context, arguments)
                                                      : layer_norm_backward_with<Policy, T, false>(context, arguments);
}

template <class Policy, class T>
void layer_norm_parameters(const KernelContext& context, const KernelArguments& arguments) {
  const ChannelSizes sizes{arguments.sizes[0], arguments.sizes[1], 1};
  sum_channels<Policy>(context, sizes,
                       LayerNormParameterTerms<T>{array_at<const T>(arguments, 1), array_at<const T>(arguments, 2),
                                                  array_at<const double>(arguments, 3), sizes.outer},
                       WriteTwoSums<T>{array_at<T>(arguments, 0), array_at<T>(arguments, 4)});
}

template <class Policy, class T, bool weighted>
void layer_norm_gradients_with(const KernelContext& context, const KernelArguments& arguments) {
  const LayerNormBackwardWork<T, weighted> work{array_at<T>(arguments, 0),
                                                array_at<const T>(arguments, 1),
                                                array_at<const T>(arguments, 2),
                                                array_at<const double>(arguments, 3),
                                                weighted ? array_at<const T>(arguments, 6) : nullptr,
                                                arguments.sizes[0],
                                                arguments.sizes[1]};
  const LayerNormParameterTerms<T> terms{work.grad, work.in, work.statistics, work.rows};
  const WriteTwoSums<T> write{array_at<T>(arguments, 4), array_at<T>(arguments, 5)};
  if constexpr (Policy::on_device) {
    normalise_then_sum<Policy>(context, work, terms, write);
  } else {
    normalise_and_sum<Policy>(context, work, terms, write);
  }
}

template <class Policy, class T>
void layer_norm_gradients(const KernelContext& context, const KernelArguments& arguments) {
  (arguments.parameters[0].integer & has_weight) != 0 ? layer_norm_gradients_with<Policy, T, true>(context, arguments)
                                                      : layer_norm_gradients_with<Policy, T, false>(context, arguments);
}

template <class Policy>
void fill_layer_norm(KernelTable& table) {
  add_kernels<Operation::layer_norm>(table, []<class T>(Type<T>) -> Kernel { return layer_norm<Policy, T>; });
  add_kernels<Operation::layer_norm_backward>(
      table, []<class T>(Type<T>) -> Kernel { return layer_norm_backward<Policy, T>; });
  add_kernels<Operation::layer_norm_parameters>(
      table, []<class T>(Type<T>) -> Kernel { return layer_norm_parameters<Policy, T>; });
  add_kernels<Operation::layer_norm_gradients>(
      table, []<class T>(Type<T>) -> Kernel { return layer_norm_gradients<Policy, T>; });
}

}  // namespace d2l::backend::kernels
