// SPDX-License-Identifier: MIT
// The logarithm of softmax on a host: contiguous rows one by one, or tiles of neighbouring rows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/element.h"
#include "kernels/rows.h"

namespace d2l::backend::kernels {

inline constexpr std::int64_t softmax_tile = 64;

/// Ignores NaN, which the sums propagate.
template <class T>
D2L_ALWAYS_INLINE T larger(T a, T b) {
  return b > a ? b : a;
}

/// The logarithm of the sum of a row's exponentials, in two parts: their sum would lose the digits of a small part.
template <class T>
struct Normaliser {
  T largest;
  double logarithm;  ///< of the sum of exponentials relative to the largest

  [[nodiscard]] D2L_HOST_DEVICE D2L_ALWAYS_INLINE T of(T element) const {
    return static_cast<T>(static_cast<double>(element) - static_cast<double>(largest) - logarithm);
  }
};

/// out = in - log(sum(exp(in))), for one row or `width` rows whose elements are `inner` apart.
template <class T>
struct LogSoftmaxRows {
  static constexpr std::size_t lanes = 8;
  T* out;
  const T* in;
  std::int64_t n;
  std::int64_t inner;

  [[nodiscard]] D2L_ALWAYS_INLINE T largest(const T* row) const {
    std::array<T, lanes> best;
    best.fill(-std::numeric_limits<T>::infinity());
    std::int64_t c = 0;
    for (; c + static_cast<std::int64_t>(lanes) <= n; c += static_cast<std::int64_t>(lanes)) {
      for (std::size_t lane = 0; lane < lanes; ++lane) best[lane] = larger(best[lane], row[c + std::int64_t(lane)]);
    }
    T result = best[0];
    for (const T value : best) result = larger(result, value);
    for (; c < n; ++c) result = larger(result, row[c]);
    return result;
  }

  D2L_ALWAYS_INLINE void row_loops(std::int64_t offset) const {
    const T* row = in + offset;
    T* to = out + offset;
    const T shift = largest(row);
    double sum = 0;
    for (std::int64_t c = 0; c < n; ++c) sum += static_cast<double>(std::exp(row[c] - shift));
    const Normaliser<T> normaliser{shift, std::log(sum)};
    D2L_VECTORISE
    for (std::int64_t c = 0; c < n; ++c) to[c] = normaliser.of(row[c]);
  }

  D2L_ALWAYS_INLINE void tile_loops(std::int64_t offset, std::int64_t width) const {
    std::array<T, softmax_tile> shifts;
    std::array<double, softmax_tile> sums{};
    const auto w = static_cast<std::size_t>(width);
    shifts.fill(-std::numeric_limits<T>::infinity());
    for (std::int64_t c = 0; c < n; ++c) {
      const T* from = in + offset + c * inner;
      D2L_VECTORISE
      for (std::size_t i = 0; i < w; ++i) shifts[i] = larger(shifts[i], from[i]);
    }
    for (std::int64_t c = 0; c < n; ++c) {
      const T* from = in + offset + c * inner;
      D2L_VECTORISE
      for (std::size_t i = 0; i < w; ++i) sums[i] += static_cast<double>(std::exp(from[i] - shifts[i]));
    }
    for (std::size_t i = 0; i < w; ++i) sums[i] = std::log(sums[i]);
    for (std::int64_t c = 0; c < n; ++c) {
      const T* from = in + offset + c * inner;
      T* to = out + offset + c * inner;
      D2L_VECTORISE
      for (std::size_t i = 0; i < w; ++i) to[i] = Normaliser<T>{shifts[i], sums[i]}.of(from[i]);
    }
  }
};

/// out = grad - exp(result) × sum(grad), likewise.
template <class T>
struct LogSoftmaxBackwardRows {
  T* out;
  const T* grad;
  const T* result;
  std::int64_t n;
  std::int64_t inner;

  D2L_ALWAYS_INLINE void row_loops(std::int64_t offset) const {
    double sum = 0;
    for (std::int64_t c = 0; c < n; ++c) sum += static_cast<double>(grad[offset + c]);
    const T total = static_cast<T>(sum);
    D2L_VECTORISE
    for (std::int64_t c = 0; c < n; ++c) out[offset + c] = grad[offset + c] - std::exp(result[offset + c]) * total;
  }

  D2L_ALWAYS_INLINE void tile_loops(std::int64_t offset, std::int64_t width) const {
    std::array<double, softmax_tile> sums{};
    const auto w = static_cast<std::size_t>(width);
    for (std::int64_t c = 0; c < n; ++c) {
      const T* from = grad + offset + c * inner;
      D2L_VECTORISE
      for (std::size_t i = 0; i < w; ++i) sums[i] += static_cast<double>(from[i]);
    }
    for (std::int64_t c = 0; c < n; ++c) {
      const std::int64_t at = offset + c * inner;
      D2L_VECTORISE
      for (std::size_t i = 0; i < w; ++i) {
        const auto place = at + static_cast<std::int64_t>(i);
        out[place] = grad[place] - std::exp(result[place]) * static_cast<T>(sums[i]);
      }
    }
  }
};

/// Calls the loops of either kind of rows, compiled for the widest vectors of the processor.
template <class Rows>
struct SoftmaxLoops {
  static D2L_ALWAYS_INLINE void loops(const Rows& rows, std::int64_t offset, std::int64_t width) {
    rows.inner == 1 ? rows.row_loops(offset) : rows.tile_loops(offset, width);
  }
  D2L_NEVER_INLINE static void baseline(const Rows& rows, std::int64_t offset, std::int64_t width) {
    loops(rows, offset, width);
  }
  D2L_WIDE static void wide(const Rows& rows, std::int64_t offset, std::int64_t width) { loops(rows, offset, width); }

  /// Computes tile number `index` of {outer, tiles}.
  static void tile(const Rows& rows, std::int64_t index) {
    const std::int64_t tiles = (rows.inner + softmax_tile - 1) / softmax_tile;
    const std::int64_t first = index % tiles * softmax_tile;
    const std::int64_t offset = index / tiles * rows.n * rows.inner + first;
    const std::int64_t width = std::min(softmax_tile, rows.inner - first);
    wide_vectors() ? wide(rows, offset, width) : baseline(rows, offset, width);
  }
};

}  // namespace d2l::backend::kernels
