// SPDX-License-Identifier: MIT
// Reductions over the middle of {outer, reduced, inner}, in passes over partial results, with the result on the device.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "backend/kernel.h"
#include "kernels/elementwise_kernel.h"
#include "kernels/policy.h"
#include "kernels/reduce_blocks.h"
#include "kernels/reduction_operators.h"
#include "kernels/rows.h"
#include "kernels/scratch.h"

namespace d2l::backend::kernels {

// On a host, a thread reduces a piece of a row in lanes, which the compiler vectorises. If the elements of a row are
// `inner` apart, it reduces a tile of neighbouring rows.

inline constexpr std::int64_t piece_elements = 65536;
inline constexpr std::int64_t tile_elements = 256;
inline constexpr std::size_t strip_bytes = 1024;
inline constexpr std::size_t bytes_ahead = 8192;

template <class R>
struct HostReduction {
  using Input = typename R::Input;
  using Accumulator = typename R::Accumulator;

  /// Reduces the elements begin to end of a contiguous row.
  static D2L_ALWAYS_INLINE Accumulator row_loops(const Input* row, std::int64_t begin, std::int64_t end) {
    if constexpr (R::finds) {
      return find(row, begin, end);
    } else {
      Accumulator result = R::start();
      while (end - begin > R::block) {
        R::join(result, accumulate(row, begin, begin + R::block));
        begin += R::block;
      }
      R::join(result, accumulate(row, begin, end));
      return result;
    }
  }
  static D2L_ALWAYS_INLINE Accumulator find(const Input* row, std::int64_t begin, std::int64_t end) {
    if (begin == end) return R::start();
    const auto best = HostReduction<typename R::ValueReduction>::row_loops(row, begin, end);
    std::int64_t i = begin;
    for (; i + 1 < end; ++i) {
      const auto value = comparable(row[i]);
      if (value == best || (value != value && best != best)) break;
    }
    return {best, i};
  }
  static D2L_ALWAYS_INLINE Accumulator accumulate(const Input* row, std::int64_t begin, std::int64_t end) {
    std::int64_t i = begin;
    Accumulator result = R::start();
    if (end - begin >= R::lanes) result = accumulate_lanes(row, i, end);
    for (; i < end; ++i) R::add(result, row[i], i);
    return result;
  }
  /// Prefetches a strip `bytes_ahead` after `from`, earlier than the processor would. The address may be past
  /// the end.
  static D2L_ALWAYS_INLINE void fetch_ahead(const Input* from) {
    const auto address = reinterpret_cast<std::uintptr_t>(from) + bytes_ahead;
    for (std::size_t line = 0; line < strip_bytes; line += 64) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read there
      __builtin_prefetch(reinterpret_cast<const void*>(address + line));
    }
  }
  template <class Lanes>
  static D2L_ALWAYS_INLINE void add_lanes(Lanes& lanes, const Input* row, std::int64_t i) {
    const auto add = [&](std::size_t lane) {
      const std::int64_t place = i + static_cast<std::int64_t>(lane);
      R::add(lanes[lane], row[place], place);
    };
    if constexpr (sizeof(Accumulator) == 1) {
      D2L_ROLLED  // Clang takes minutes for these lanes when they are unrolled
          for (std::size_t lane = 0; lane < lanes.size(); ++lane) add(lane);
    } else {
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) add(lane);
    }
  }
  /// Reduces the elements from `i` on that fill all lanes, and sets `i` to the next one.
  static D2L_ALWAYS_INLINE Accumulator accumulate_lanes(const Input* row, std::int64_t& i, std::int64_t end) {
    constexpr auto strip = static_cast<std::int64_t>(strip_bytes / sizeof(Input));
    static_assert(strip % R::lanes == 0);
    std::array<Accumulator, R::lanes> lanes;
    lanes.fill(R::start());
    while (i + R::lanes <= end) {
      if (end - i >= strip) fetch_ahead(row + i);
      const std::int64_t stop = std::min(end, i + strip);
      for (; i + R::lanes <= stop; i += R::lanes) add_lanes(lanes, row, i);
    }
    for (std::size_t half = R::lanes / 2; half > 0; half /= 2) {
      for (std::size_t lane = 0; lane < half; ++lane) R::join(lanes[lane], lanes[lane + half]);
    }
    return lanes[0];
  }
  /// Reduces the elements begin to end of `width` neighbouring rows.
  static D2L_ALWAYS_INLINE void tile_loops(const Input* tile, std::int64_t inner, std::int64_t width,
                                           std::int64_t begin, std::int64_t end, Accumulator* results) {
    for (std::int64_t j = 0; j < width; ++j) results[j] = R::start();
    for (std::int64_t i = begin; i < end; ++i) {
      const Input* from = tile + i * inner;
      D2L_VECTORISE
      for (std::int64_t j = 0; j < width; ++j) R::add(results[j], from[j], i);
    }
  }

  D2L_NEVER_INLINE static Accumulator row_baseline(const Input* row, std::int64_t begin, std::int64_t end) {
    return row_loops(row, begin, end);
  }
  D2L_WIDE static Accumulator row_wide(const Input* row, std::int64_t begin, std::int64_t end) {
    return row_loops(row, begin, end);
  }
  static Accumulator row(const Input* row, std::int64_t begin, std::int64_t end) {
    return wide_vectors() ? row_wide(row, begin, end) : row_baseline(row, begin, end);
  }
  D2L_NEVER_INLINE static void tile_baseline(const Input* tile, std::int64_t inner, std::int64_t width,
                                             std::int64_t begin, std::int64_t end, Accumulator* results) {
    tile_loops(tile, inner, width, begin, end, results);
  }
  D2L_WIDE static void tile_wide(const Input* tile, std::int64_t inner, std::int64_t width, std::int64_t begin,
                                 std::int64_t end, Accumulator* results) {
    tile_loops(tile, inner, width, begin, end, results);
  }
  static void tile(const Input* tile, std::int64_t inner, std::int64_t width, std::int64_t begin, std::int64_t end,
                   Accumulator* results) {
    wide_vectors() ? tile_wide(tile, inner, width, begin, end, results)
                   : tile_baseline(tile, inner, width, begin, end, results);
  }

  /// Reduces piece `piece` of `pieces` of the rows of one tile; calls use(inner index, accumulator) for each row.
  template <class Use>
  static void part(const ReductionArrays<R>& arrays, std::int64_t o, std::int64_t tile_index, std::int64_t piece,
                   std::int64_t pieces, const Use& use) {
    const std::int64_t begin = arrays.reduced * piece / pieces;
    const std::int64_t end = arrays.reduced * (piece + 1) / pieces;
    const Input* block = arrays.in + o * arrays.reduced * arrays.inner;
    if (arrays.inner == 1) {
      use(0, row(block, begin, end));
      return;
    }
    std::array<Accumulator, tile_elements> results;
    const std::int64_t first = tile_index * tile_elements;
    const std::int64_t width = std::min(tile_elements, arrays.inner - first);
    const Input* corner = begin == end ? block : block + first;  // an empty input may be null
    tile(corner, arrays.inner, width, begin, end, results.data());
    for (std::int64_t j = 0; j < width; ++j) use(first + j, results[static_cast<std::size_t>(j)]);
  }
};

/// The count of pieces of a row. It depends only on the shape, so the result does not depend on the number of threads.
inline std::int64_t reduction_pieces(std::int64_t groups, std::int64_t reduced, std::int64_t width) {
  const std::int64_t elements = reduced * width;
  if (groups >= 64 || elements <= piece_elements) return 1;
  return std::min(reduced, (elements + piece_elements - 1) / piece_elements);
}

template <class Policy, class R>
void reduce_on_host(const KernelContext& context, const KernelArguments& arguments) {
  const auto arrays = reduction_arrays<R>(arguments);
  const std::int64_t tiles = (arrays.inner + tile_elements - 1) / tile_elements;
  const std::int64_t groups = arrays.outer * tiles;
  const std::int64_t pieces = reduction_pieces(groups, arrays.reduced, std::min(arrays.inner, tile_elements));
  if (pieces == 1) {
    const auto reduce_group = [&arrays, tiles](std::int64_t group) {
      const std::int64_t o = group / tiles;
      HostReduction<R>::part(arrays, o, group % tiles, 0, 1, [&arrays, o](std::int64_t i, const auto& accumulator) {
        arrays.finish(o * arrays.inner + i, accumulator);
      });
    };
    if (groups * arrays.reduced * std::min(arrays.inner, tile_elements) < parallel_threshold) {
      Policy::for_each(on_one_thread(context), groups, reduce_group);
    } else {
      Policy::for_each(context, groups, reduce_group);
    }
    return;
  }
  const Scratch<typename R::Accumulator> partial(context, arrays.outer * pieces * arrays.inner);
  Policy::for_each(context, groups * pieces, [&arrays, &partial, tiles, pieces](std::int64_t index) {
    const std::int64_t o = index / pieces / tiles;
    const std::int64_t piece = index % pieces;
    HostReduction<R>::part(arrays, o, index / pieces % tiles, piece, pieces,
                           [&](std::int64_t i, const auto& accumulator) {
                             partial.data()[(o * pieces + piece) * arrays.inner + i] = accumulator;
                           });
  });
  Policy::for_each(on_one_thread(context), arrays.outer * arrays.inner,
                   [&arrays, &partial, pieces](std::int64_t output) {
                     const std::int64_t o = output / arrays.inner;
                     const std::int64_t i = output % arrays.inner;
                     auto result = R::start();
                     for (std::int64_t p = 0; p < pieces; ++p)
                       R::join(result, partial.data()[(o * pieces + p) * arrays.inner + i]);
                     arrays.finish(output, result);
                   });
}

// On a GPU, `lanes` threads share a row. Each takes every lanes-th element, so that neighbouring threads read
// neighbouring memory. Further passes join the results of the lanes.

inline constexpr std::int64_t device_threads = std::int64_t{1} << 18;
inline constexpr std::int64_t device_fan_in = 64;

template <class R>
struct LanePass {
  ReductionArrays<R> arrays;
  typename R::Accumulator* partial;  ///< (outer, lanes, inner); null for one lane, which finishes
  std::int64_t lanes;

  D2L_HOST_DEVICE void operator()(std::int64_t index) const {
    const std::int64_t i = index % arrays.inner;
    const std::int64_t lane = index / arrays.inner % lanes;
    const std::int64_t o = index / arrays.inner / lanes;
    auto result = R::start();
    for (std::int64_t r = lane; r < arrays.reduced; r += lanes) {
      R::add(result, arrays.in[(o * arrays.reduced + r) * arrays.inner + i], r);
    }
    if (partial != nullptr) {
      partial[index] = result;
    } else {
      arrays.finish(o * arrays.inner + i, result);
    }
  }
};

template <class R>
struct JoinPass {
  ReductionArrays<R> arrays;
  const typename R::Accumulator* from;  ///< (outer, lanes, inner)
  typename R::Accumulator* to;          ///< (outer, fewer, inner); null if fewer is 1
  std::int64_t lanes;
  std::int64_t fewer;

  D2L_HOST_DEVICE void operator()(std::int64_t index) const {
    const std::int64_t i = index % arrays.inner;
    const std::int64_t lane = index / arrays.inner % fewer;
    const std::int64_t o = index / arrays.inner / fewer;
    auto result = R::start();
    for (std::int64_t l = lane; l < lanes; l += fewer) R::join(result, from[(o * lanes + l) * arrays.inner + i]);
    if (to != nullptr) {
      to[index] = result;
    } else {
      arrays.finish(o * arrays.inner + i, result);
    }
  }
};

template <class Policy, class R>
void reduce_on_device(const KernelContext& context, const ReductionArrays<R>& arrays) {
  const std::int64_t outputs = arrays.outer * arrays.inner;
  if (outputs == 0) return;
  if constexpr (has_blocks<Policy>) {
    if (arrays.inner == 1 && arrays.reduced >= shortest_block_row)
      return reduce_rows_in_blocks<Policy>(context, arrays);
  }
  const auto fewer_than = [](std::int64_t lanes) { return (lanes + device_fan_in - 1) / device_fan_in; };
  std::int64_t lanes = std::clamp<std::int64_t>(device_threads / outputs, 1, std::max<std::int64_t>(arrays.reduced, 1));
  if (arrays.inner == 1 && lanes < 32) lanes = std::clamp<std::int64_t>(arrays.reduced / 4, 1, 32);
  using Accumulator = typename R::Accumulator;
  const Scratch<Accumulator> first(context, lanes > 1 ? outputs * lanes : 0);
  const Scratch<Accumulator> second(context, lanes > device_fan_in ? outputs * fewer_than(lanes) : 0);
  Policy::for_each(context, outputs * lanes, LanePass<R>{arrays, first.data(), lanes});
  Accumulator* from = first.data();
  Accumulator* to = second.data();
  while (lanes > 1) {
    const std::int64_t fewer = fewer_than(lanes);
    Policy::for_each(context, outputs * fewer, JoinPass<R>{arrays, from, fewer > 1 ? to : nullptr, lanes, fewer});
    std::swap(from, to);
    lanes = fewer;
  }
}

template <class Policy, class R>
void reduction_kernel(const KernelContext& context, const KernelArguments& arguments) {
  if constexpr (Policy::on_device) {
    reduce_on_device<Policy, R>(context, reduction_arrays<R>(arguments));
  } else {
    reduce_on_host<Policy, R>(context, arguments);
  }
}

}  // namespace d2l::backend::kernels
