// SPDX-License-Identifier: MIT
// Two sums over the elements of each channel of {outer, channels, inner}, in one pass and in double: the statistics of
// normalisations and the sums of their gradients.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "kernels/element.h"
#include "kernels/normalisation_flags.h"
#include "kernels/policy.h"
#include "kernels/reduce_blocks.h"
#include "kernels/rows.h"
#include "kernels/scratch.h"

namespace d2l::backend::kernels {

/// The two terms of an element. The loops of a host add a few of them in T before they add in double; a GPU adds each
/// in double.
template <class T>
struct TwoTerms {
  T first;
  T second;
};

struct TwoSums {
  double first;
  double second;

  template <class T>
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE void add(const TwoTerms<T>& terms) {
    first += static_cast<double>(terms.first);
    second += static_cast<double>(terms.second);
  }
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE void add(const TwoSums& other) {
    first += other.first;
    second += other.second;
  }
};

/// The sizes of an array whose middle dimension is that of the channels.
struct ChannelSizes {
  std::int64_t outer;
  std::int64_t channels;
  std::int64_t inner;

  [[nodiscard]] D2L_HOST_DEVICE std::int64_t each() const { return outer * inner; }
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t all() const { return outer * channels * inner; }
};

/// A finite number near those of a channel. Sums of differences from it lose no digits.
template <class T>
D2L_HOST_DEVICE D2L_ALWAYS_INLINE double shift_of(T element) {
  const auto number = static_cast<double>(element);
  return number - number == 0 ? number : 0;
}

/// The mean of some numbers, and the mean of the squares of their differences from it.
struct MeanAndVariance {
  double mean;
  double variance;
};

/// From the sums of the differences from `shift` and of their squares.
D2L_HOST_DEVICE inline MeanAndVariance statistics_of(TwoSums sums, double shift, double count) {
  const double mean = sums.first / count;
  const double variance = sums.second / count - mean * mean;
  return {shift + mean, variance < 0 ? 0 : variance};
}

/// (x − mean) × factor in the precision of T. The mean has two parts, so that it is not rounded to T.
template <class T>
struct Standardised {
  T high;
  T low;
  T factor;

  D2L_HOST_DEVICE D2L_ALWAYS_INLINE Standardised(double mean, double scale)
      : high(static_cast<T>(mean)),
        low(static_cast<T>(mean - static_cast<double>(high))),
        factor(static_cast<T>(scale)) {}
  [[nodiscard]] D2L_HOST_DEVICE D2L_ALWAYS_INLINE T of(T x) const { return ((x - high) - low) * factor; }
};

/// A loop over contiguous elements keeps so many partial sums, which hide the latency of an addition.
inline constexpr std::size_t sum_lanes = 16;

/// On a host, so many terms of a lane are added in their own precision.
inline constexpr std::int64_t terms_at_once = 8;

/// The sum of the lanes: the first half of them and the second, and so on. The compiler knows each size.
template <class T, std::size_t lanes>
D2L_ALWAYS_INLINE T folded(const std::array<T, lanes>& values) {
  if constexpr (lanes == 1) {
    return values[0];
  } else {
    std::array<T, lanes / 2> half;
    D2L_VECTORISE_SHORT
    for (std::size_t lane = 0; lane < lanes / 2; ++lane) half[lane] = values[lane] + values[lane + lanes / 2];
    return folded(half);
  }
}

/// The sums of term(i) for i below n.
template <class Term>
D2L_ALWAYS_INLINE TwoSums two_sums_of(std::int64_t n, const Term& term) {
  using T = decltype(term(0).first);
  constexpr auto lanes = static_cast<std::int64_t>(sum_lanes);
  std::array<double, sum_lanes> first{};
  std::array<double, sum_lanes> second{};
  std::int64_t i = 0;
  for (; i + terms_at_once * lanes <= n; i += terms_at_once * lanes) {
    std::array<T, sum_lanes> few_first{};
    std::array<T, sum_lanes> few_second{};
    for (std::int64_t step = 0; step < terms_at_once; ++step) {
      D2L_VECTORISE_SHORT
      for (std::size_t lane = 0; lane < sum_lanes; ++lane) {
        const auto values = term(i + step * lanes + static_cast<std::int64_t>(lane));
        few_first[lane] += values.first;
        few_second[lane] += values.second;
      }
    }
    D2L_VECTORISE_SHORT
    for (std::size_t lane = 0; lane < sum_lanes; ++lane) {
      first[lane] += static_cast<double>(few_first[lane]);
      second[lane] += static_cast<double>(few_second[lane]);
    }
  }
  for (; i + lanes <= n; i += lanes) {
    D2L_VECTORISE_SHORT
    for (std::size_t lane = 0; lane < sum_lanes; ++lane) {
      const auto values = term(i + static_cast<std::int64_t>(lane));
      first[lane] += static_cast<double>(values.first);
      second[lane] += static_cast<double>(values.second);
    }
  }
  TwoSums sums{folded(first), folded(second)};
  for (; i < n; ++i) sums.add(term(i));
  return sums;
}

inline constexpr std::int64_t channel_tile = 256;

// A kind of terms has at(at, o, c): the two terms of the element `at` of channel c in block o.

/// The loops of a host.
template <class Terms>
struct TwoSumLoops {
  /// Of one channel, whose elements in a block are contiguous.
  static D2L_ALWAYS_INLINE TwoSums channel_loops(const Terms& given, const ChannelSizes& sizes, std::int64_t c,
                                                 std::int64_t begin, std::int64_t end) {
    const Terms terms = given;
    TwoSums sums{0, 0};
    for (std::int64_t o = begin; o < end; ++o) {
      const std::int64_t first = (o * sizes.channels + c) * sizes.inner;
      sums.add(two_sums_of(sizes.inner, [&terms, first, o, c](std::int64_t i) { return terms.at(first + i, o, c); }));
    }
    return sums;
  }
  /// Of `width` neighbouring channels of one element each in a block.
  static D2L_ALWAYS_INLINE void tile_loops(const Terms& given, const ChannelSizes& sizes, std::int64_t first_channel,
                                           std::int64_t width, std::int64_t begin, std::int64_t end, TwoSums* results) {
    const Terms terms = given;
    std::array<double, channel_tile> first{};
    std::array<double, channel_tile> second{};
    // Four blocks at once need fewer loads and stores of the sums.
    std::int64_t o = begin;
    for (; o + 4 <= end; o += 4) {
      const std::int64_t at = o * sizes.channels + first_channel;
      D2L_VECTORISE
      for (std::int64_t j = 0; j < width; ++j) {
        const auto one = terms.at(at + j, o, first_channel + j);
        const auto two = terms.at(at + sizes.channels + j, o + 1, first_channel + j);
        const auto three = terms.at(at + 2 * sizes.channels + j, o + 2, first_channel + j);
        const auto four = terms.at(at + 3 * sizes.channels + j, o + 3, first_channel + j);
        first[static_cast<std::size_t>(j)] += static_cast<double>((one.first + two.first) + (three.first + four.first));
        second[static_cast<std::size_t>(j)] +=
            static_cast<double>((one.second + two.second) + (three.second + four.second));
      }
    }
    for (; o < end; ++o) {
      for (std::int64_t j = 0; j < width; ++j) {
        const auto last = terms.at(o * sizes.channels + first_channel + j, o, first_channel + j);
        first[static_cast<std::size_t>(j)] += static_cast<double>(last.first);
        second[static_cast<std::size_t>(j)] += static_cast<double>(last.second);
      }
    }
    for (std::size_t j = 0; j < static_cast<std::size_t>(width); ++j) results[j] = {first[j], second[j]};
  }

  D2L_NEVER_INLINE static TwoSums channel_baseline(const Terms& terms, const ChannelSizes& sizes, std::int64_t c,
                                                   std::int64_t begin, std::int64_t end) {
    return channel_loops(terms, sizes, c, begin, end);
  }
  D2L_WIDE static TwoSums channel_wide(const Terms& terms, const ChannelSizes& sizes, std::int64_t c,
                                       std::int64_t begin, std::int64_t end) {
    return channel_loops(terms, sizes, c, begin, end);
  }
  static TwoSums channel(const Terms& terms, const ChannelSizes& sizes, std::int64_t c, std::int64_t begin,
                         std::int64_t end) {
    return wide_vectors() ? channel_wide(terms, sizes, c, begin, end) : channel_baseline(terms, sizes, c, begin, end);
  }
  D2L_NEVER_INLINE static void tile_baseline(const Terms& terms, const ChannelSizes& sizes, std::int64_t first,
                                             std::int64_t width, std::int64_t begin, std::int64_t end,
                                             TwoSums* results) {
    tile_loops(terms, sizes, first, width, begin, end, results);
  }
  D2L_WIDE static void tile_wide(const Terms& terms, const ChannelSizes& sizes, std::int64_t first, std::int64_t width,
                                 std::int64_t begin, std::int64_t end, TwoSums* results) {
    tile_loops(terms, sizes, first, width, begin, end, results);
  }
  D2L_WIDEST static void tile_widest(const Terms& terms, const ChannelSizes& sizes, std::int64_t first,
                                     std::int64_t width, std::int64_t begin, std::int64_t end, TwoSums* results) {
    tile_loops(terms, sizes, first, width, begin, end, results);
  }
  static void tile(const Terms& terms, const ChannelSizes& sizes, std::int64_t first, std::int64_t width,
                   std::int64_t begin, std::int64_t end, TwoSums* results) {
    if (widest_vectors()) return tile_widest(terms, sizes, first, width, begin, end, results);
    wide_vectors() ? tile_wide(terms, sizes, first, width, begin, end, results)
                   : tile_baseline(terms, sizes, first, width, begin, end, results);
  }
};

/// On a GPU, part `i / channels` of channel `i % channels`, by one thread.
template <class Terms>
struct ThreadSums {
  Terms terms;
  ChannelSizes sizes;
  TwoSums* partial;  ///< (parts, channels)
  std::int64_t parts;

  D2L_HOST_DEVICE void operator()(std::int64_t index) const {
    const std::int64_t c = index % sizes.channels;
    const std::int64_t part = index / sizes.channels;
    const std::int64_t end = sizes.outer * (part + 1) / parts;
    TwoSums sums{0, 0};
    for (std::int64_t o = sizes.outer * part / parts; o < end; ++o) {
      const std::int64_t first = (o * sizes.channels + c) * sizes.inner;
      for (std::int64_t i = 0; i < sizes.inner; ++i) sums.add(terms.at(first + i, o, c));
    }
    partial[index] = sums;
  }
};

/// Adds the sums of all threads of a block; every thread gets the result.
template <int threads, class Block>
D2L_DEVICE inline TwoSums sum_of_block(const Block& block, TwoSums own) {
  auto* const shared = block.template shared<TwoSums>();
  const int thread = block.thread();
  shared[thread] = own;
  block.synchronise();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (thread < half) shared[thread].add(shared[thread + half]);
    block.synchronise();
  }
  return shared[0];
}

/// The same by one block of threads.
template <class Terms, int threads>
struct BlockSums {
  Terms terms;
  ChannelSizes sizes;
  TwoSums* partial;
  std::int64_t parts;

  template <class Block>
  D2L_DEVICE void operator()(const Block& block) const {
    const std::int64_t c = block.index() % sizes.channels;
    const std::int64_t part = block.index() / sizes.channels;
    const std::int64_t end = sizes.outer * (part + 1) / parts * sizes.inner;
    TwoSums sums{0, 0};
    for (std::int64_t i = sizes.outer * part / parts * sizes.inner + block.thread(); i < end; i += threads) {
      const std::int64_t o = i / sizes.inner;
      sums.add(terms.at((o * sizes.channels + c) * sizes.inner + i % sizes.inner, o, c));
    }
    sums = sum_of_block<threads>(block, sums);
    if (block.thread() == 0) partial[block.index()] = sums;
  }
};

/// Adds the parts of a channel, and calls finish(channel, sums).
template <class Finish>
struct JoinParts {
  Finish finish;
  const TwoSums* partial;
  std::int64_t channels;
  std::int64_t parts;

  D2L_HOST_DEVICE void operator()(std::int64_t c) const {
    TwoSums sums{0, 0};
    for (std::int64_t part = 0; part < parts; ++part) sums.add(partial[part * channels + c]);
    finish(c, sums);
  }
};

/// The parts of the outer dimension. They depend only on the sizes, so the result does not depend on the threads.
inline std::int64_t parts_of_channels(const ChannelSizes& sizes, std::int64_t elements, std::int64_t most) {
  const std::int64_t wanted = std::min(sizes.all() / elements, most / std::max<std::int64_t>(sizes.channels, 1));
  return std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(sizes.outer, 1));
}

/// Calls finish(channel, the sums of its terms) for each channel.
template <class Policy, class Terms, class Finish>
void sum_channels(const KernelContext& context, const ChannelSizes& sizes, const Terms& terms, const Finish& finish) {
  constexpr std::int64_t shortest_block = 32;
  if constexpr (Policy::on_device) {
    const std::int64_t parts = parts_of_channels(sizes, 4096, 65536);
    const Scratch<TwoSums> partial(context, sizes.channels * parts);
    bool done = false;
    if constexpr (has_blocks<Policy>) {
      if (sizes.inner >= shortest_block) {
        constexpr int threads = Policy::block_threads;
        Policy::for_each_block(context, sizes.channels * parts, threads * sizeof(TwoSums),
                               BlockSums<Terms, threads>{terms, sizes, partial.data(), parts});
        done = true;
      }
    }
    if (!done) {
      Policy::for_each(context, sizes.channels * parts, ThreadSums<Terms>{terms, sizes, partial.data(), parts});
    }
    Policy::for_each(context, sizes.channels, JoinParts<Finish>{finish, partial.data(), sizes.channels, parts});
  } else {
    const std::int64_t width = sizes.inner == 1 ? channel_tile : 1;
    const std::int64_t tiles = (sizes.channels + width - 1) / width;
    const std::int64_t parts = parts_of_channels(sizes, parallel_threshold, 64 * width);
    const Scratch<TwoSums> partial(context, sizes.channels * parts);
    TwoSums* const results = partial.data();
    const auto piece = [&terms, &sizes, width, tiles, parts, results](std::int64_t index) {
      const std::int64_t first = index % tiles * width;
      const std::int64_t part = index / tiles;
      const std::int64_t begin = sizes.outer * part / parts;
      const std::int64_t end = sizes.outer * (part + 1) / parts;
      TwoSums* const to = results + part * sizes.channels + first;
      if (sizes.inner == 1) {
        TwoSumLoops<Terms>::tile(terms, sizes, first, std::min(width, sizes.channels - first), begin, end, to);
      } else {
        *to = TwoSumLoops<Terms>::channel(terms, sizes, first, begin, end);
      }
    };
    Policy::for_each(sizes.all() < parallel_threshold ? on_one_thread(context) : context, tiles * parts, piece);
    const JoinParts<Finish> join{finish, results, sizes.channels, parts};
    for (std::int64_t c = 0; c < sizes.channels; ++c) join(c);
  }
}

}  // namespace d2l::backend::kernels
