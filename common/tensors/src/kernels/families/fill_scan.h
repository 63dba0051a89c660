// SPDX-License-Identifier: MIT
// fill_scan: sums up to each element along the middle of {outer, n, inner}.
#pragma once

#include <algorithm>
#include <array>

#include "kernels/fill_table.h"
#include "kernels/scratch.h"

namespace d2l::backend::kernels {

/// The arrays of a scan. Floating-point numbers are added in double, integers in wrapping 64-bit ones.
template <class T>
struct ScanArrays {
  using Out = std::conditional_t<is_floating<T>, T, std::int64_t>;
  using Sum = std::conditional_t<is_floating<T>, double, std::uint64_t>;
  Out* out;
  const T* in;
  std::int64_t n;
  std::int64_t inner;

  D2L_HOST_DEVICE static Sum number(T value) { return static_cast<Sum>(comparable(value)); }
  /// Writes the sums of the elements begin to end of the line that starts at `first`; returns the last.
  D2L_HOST_DEVICE Sum write(std::int64_t first, std::int64_t begin, std::int64_t end, Sum sum) const {
    for (std::int64_t j = begin; j < end; ++j) {
      sum += number(in[first + j * inner]);
      out[first + j * inner] = static_cast<Out>(sum);
    }
    return sum;
  }
};

inline constexpr std::int64_t scan_tile = 256;

/// The lines of one tile of neighbouring inner indices, on a host.
template <class T>
void scan_tile_on_host(const ScanArrays<T>& arrays, std::int64_t index) {
  const std::int64_t tiles = (arrays.inner + scan_tile - 1) / scan_tile;
  const std::int64_t begin = index % tiles * scan_tile;
  const std::int64_t width = std::min(scan_tile, arrays.inner - begin);
  const std::int64_t first = index / tiles * arrays.n * arrays.inner + begin;
  if (arrays.inner == 1) {
    arrays.write(first, 0, arrays.n, 0);
    return;
  }
  std::array<typename ScanArrays<T>::Sum, scan_tile> sums{};
  for (std::int64_t j = 0; j < arrays.n; ++j) {
    const std::int64_t row = first + j * arrays.inner;
    D2L_VECTORISE
    for (std::int64_t i = 0; i < width; ++i) {
      auto& sum = sums[static_cast<std::size_t>(i)];
      sum += ScanArrays<T>::number(arrays.in[row + i]);
      arrays.out[row + i] = static_cast<typename ScanArrays<T>::Out>(sum);
    }
  }
}

// On a GPU, each thread takes a part of a line: it sums the part; then one thread of the line adds the sums of the
// parts before each part; then each thread writes its part. The parts depend only on the shape.

inline constexpr std::int64_t scan_part = 512;

template <class T>
struct PartSums {
  ScanArrays<T> arrays;
  typename ScanArrays<T>::Sum* sums;  ///< (outer, parts, inner)
  std::int64_t parts;

  D2L_HOST_DEVICE void operator()(std::int64_t index) const {
    const std::int64_t part = index / arrays.inner % parts;
    const std::int64_t first = index / arrays.inner / parts * arrays.n * arrays.inner + index % arrays.inner;
    typename ScanArrays<T>::Sum sum = 0;
    const std::int64_t end = arrays.n * (part + 1) / parts;
    for (std::int64_t j = arrays.n * part / parts; j < end; ++j) {
      sum += ScanArrays<T>::number(arrays.in[first + j * arrays.inner]);
    }
    sums[index] = sum;
  }
};

template <class Sum>
struct SumsBefore {
  Sum* sums;
  std::int64_t parts;
  std::int64_t inner;

  D2L_HOST_DEVICE void operator()(std::int64_t line) const {
    Sum sum = 0;
    for (std::int64_t part = 0; part < parts; ++part) {
      Sum& place = sums[(line / inner * parts + part) * inner + line % inner];
      const Sum own = place;
      place = sum;
      sum += own;
    }
  }
};

template <class T>
struct PartScan {
  ScanArrays<T> arrays;
  const typename ScanArrays<T>::Sum* sums;  ///< null for one part
  std::int64_t parts;

  D2L_HOST_DEVICE void operator()(std::int64_t index) const {
    const std::int64_t part = index / arrays.inner % parts;
    const std::int64_t first = index / arrays.inner / parts * arrays.n * arrays.inner + index % arrays.inner;
    arrays.write(first, arrays.n * part / parts, arrays.n * (part + 1) / parts, sums != nullptr ? sums[index] : 0);
  }
};

template <class Policy, class T>
void scan_kernel(const KernelContext& context, const KernelArguments& arguments) {
  using Sum = typename ScanArrays<T>::Sum;
  const ScanArrays<T> arrays{static_cast<typename ScanArrays<T>::Out*>(arguments.operands[0].data),
                             static_cast<const T*>(arguments.operands[1].data), arguments.sizes[1], arguments.sizes[2]};
  const std::int64_t outer = arguments.sizes[0];
  const std::int64_t count = outer * arrays.n * arrays.inner;
  if (count == 0) return;
  if constexpr (Policy::on_device) {
    const std::int64_t parts = (arrays.n + scan_part - 1) / scan_part;
    const std::int64_t threads = outer * parts * arrays.inner;
    const Scratch<Sum> sums(context, parts > 1 ? threads : 0);
    if (parts > 1) {
      Policy::for_each(context, threads, PartSums<T>{arrays, sums.data(), parts});
      Policy::for_each(context, outer * arrays.inner, SumsBefore<Sum>{sums.data(), parts, arrays.inner});
    }
    Policy::for_each(context, threads, PartScan<T>{arrays, sums.data(), parts});
  } else {
    const std::int64_t tiles = (arrays.inner + scan_tile - 1) / scan_tile;
    const auto tile = [&arrays](std::int64_t index) { scan_tile_on_host(arrays, index); };
    Policy::for_each(count < parallel_threshold ? on_one_thread(context) : context, outer * tiles, tile);
  }
}

template <class Policy>
void fill_scan(KernelTable& table) {
  add_kernels<Operation::cumsum>(table, []<class T>(Type<T>) -> Kernel { return scan_kernel<Policy, T>; });
}

}  // namespace d2l::backend::kernels
