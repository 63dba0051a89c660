// SPDX-License-Identifier: MIT
// Softmax and its logarithm on a host: contiguous rows one by one, or tiles of neighbouring rows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/element.h"
#include "kernels/rows.h"
#include "kernels/vector_exp.h"

namespace d2l::backend::kernels {

inline constexpr std::int64_t softmax_tile = 64;

/// Ignores NaN, which the sums propagate.
template <class T>
D2L_ALWAYS_INLINE T larger(T a, T b) {
  return b > a ? b : a;
}

/// A loop over a row keeps so many partial results, which hide the latency of an instruction.
inline constexpr std::size_t softmax_lanes = 32;

/// Combines the partial results of a row in pairs, which a vector does at once.
template <class T, class Combine>
D2L_ALWAYS_INLINE T combined(std::array<T, softmax_lanes> parts, const Combine& combine) {
  for (std::size_t half = softmax_lanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) parts[lane] = combine(parts[lane], parts[lane + half]);
  }
  return parts[0];
}

/// Calls use(lane, c) for c below n; a lane gets each softmax_lanes-th.
template <class Use>
D2L_ALWAYS_INLINE void in_lanes(std::int64_t n, const Use& use) {
  constexpr auto lanes = static_cast<std::int64_t>(softmax_lanes);
  std::int64_t c = 0;
  for (; c + lanes <= n; c += lanes) {
    for (std::size_t lane = 0; lane < softmax_lanes; ++lane) use(lane, c + std::int64_t(lane));
  }
  for (std::size_t lane = 0; c < n; ++c, ++lane) use(lane, c);
}

/// The largest element of a contiguous row; −∞ if there is none but NaN.
template <class T>
D2L_ALWAYS_INLINE T largest_of(const T* row, std::int64_t n) {
  std::array<T, softmax_lanes> best;
  best.fill(-std::numeric_limits<T>::infinity());
  in_lanes(n, [&best, row](std::size_t lane, std::int64_t c) { best[lane] = larger(best[lane], row[c]); });
  return combined(best, larger<T>);
}

/// The sum of value(c) for c below n, in several parts, in double.
template <class Value>
D2L_ALWAYS_INLINE double sum_of(std::int64_t n, const Value& value) {
  std::array<double, softmax_lanes> sums{};
  in_lanes(n, [&sums, &value](std::size_t lane, std::int64_t c) { sums[lane] += value(c); });
  return combined(sums, [](double a, double b) { return a + b; });
}

/// The sum of a row: four elements are added in their own precision, and the rest in double.
template <class T>
D2L_ALWAYS_INLINE double sum_of_row(const T* row, std::int64_t n) {
  const std::int64_t quarter = n / 4;
  double sum = sum_of(quarter, [row, quarter](std::int64_t c) {
    return static_cast<double>((row[c] + row[c + quarter]) + (row[c + 2 * quarter] + row[c + 3 * quarter]));
  });
  for (std::int64_t c = 4 * quarter; c < n; ++c) sum += static_cast<double>(row[c]);
  return sum;
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
  T* out;
  const T* in;
  std::int64_t n;
  std::int64_t inner;

  D2L_ALWAYS_INLINE void row_loops(std::int64_t offset) const {
    const T* row = in + offset;
    T* to = out + offset;
    const T shift = largest_of(row, n);
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

struct Exponential {
  template <class T>
  static D2L_ALWAYS_INLINE T of_nonpositive(T x) {
    return exp_of_nonpositive(x);
  }
};

/// out = exp(in) / sum(exp(in)), likewise; if it is safe, 0 for rows that are −∞ everywhere.
template <class T, bool safe = false, class Exp = Exponential>
struct SoftmaxRows {
  T* out;
  const T* in;
  std::int64_t n;
  std::int64_t inner;

  D2L_ALWAYS_INLINE void row_loops(std::int64_t offset) const {
    const T* row = in + offset;
    T* to = out + offset;
    const T shift = shift_of(largest_of(row, n));
    D2L_VECTORISE
    for (std::int64_t c = 0; c < n; ++c) to[c] = Exp::of_nonpositive(row[c] - shift);
    const T factor = factor_of(sum_of_row(to, n));
    D2L_VECTORISE
    for (std::int64_t c = 0; c < n; ++c) to[c] *= factor;
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
    for (std::size_t i = 0; i < w; ++i) shifts[i] = shift_of(shifts[i]);
    for (std::int64_t c = 0; c < n; ++c) {
      const T* from = in + offset + c * inner;
      T* to = out + offset + c * inner;
      D2L_VECTORISE
      for (std::size_t i = 0; i < w; ++i) to[i] = Exp::of_nonpositive(from[i] - shifts[i]);
      D2L_VECTORISE
      for (std::size_t i = 0; i < w; ++i) sums[i] += static_cast<double>(to[i]);
    }
    for (std::size_t i = 0; i < w; ++i) shifts[i] = factor_of(sums[i]);
    for (std::int64_t c = 0; c < n; ++c) {
      T* to = out + offset + c * inner;
      D2L_VECTORISE
      for (std::size_t i = 0; i < w; ++i) to[i] *= shifts[i];
    }
  }

 private:
  static D2L_ALWAYS_INLINE T shift_of(T largest) {
    return safe && largest == -std::numeric_limits<T>::infinity() ? 0 : largest;
  }
  static D2L_ALWAYS_INLINE T factor_of(double sum) { return safe && sum == 0 ? 0 : static_cast<T>(1 / sum); }
};
template <class T>
using SafeSoftmaxRows = SoftmaxRows<T, true>;

/// out = result × (grad - sum(grad × result)), likewise.
template <class T>
struct SoftmaxBackwardRows {
  T* out;
  const T* grad;
  const T* result;
  std::int64_t n;
  std::int64_t inner;

  D2L_ALWAYS_INLINE void row_loops(std::int64_t offset) const {
    const T* g = grad + offset;
    const T* r = result + offset;
    T* to = out + offset;
    const auto total = static_cast<T>(
        sum_of(n, [g, r](std::int64_t c) { return static_cast<double>(g[c]) * static_cast<double>(r[c]); }));
    D2L_VECTORISE
    for (std::int64_t c = 0; c < n; ++c) to[c] = r[c] * (g[c] - total);
  }

  D2L_ALWAYS_INLINE void tile_loops(std::int64_t offset, std::int64_t width) const {
    std::array<double, softmax_tile> sums{};
    const auto w = static_cast<std::size_t>(width);
    for (std::int64_t c = 0; c < n; ++c) {
      const T* g = grad + offset + c * inner;
      const T* r = result + offset + c * inner;
      D2L_VECTORISE
      for (std::size_t i = 0; i < w; ++i) sums[i] += static_cast<double>(g[i]) * static_cast<double>(r[i]);
    }
    for (std::int64_t c = 0; c < n; ++c) {
      const T* g = grad + offset + c * inner;
      const T* r = result + offset + c * inner;
      T* to = out + offset + c * inner;
      D2L_VECTORISE
      for (std::size_t i = 0; i < w; ++i) to[i] = r[i] * (g[i] - static_cast<T>(sums[i]));
    }
  }
};

/// Calls the loops of a kind of rows, compiled for the widest vectors of the processor.
template <class Rows>
struct SoftmaxLoops {
  static D2L_ALWAYS_INLINE void loops(const Rows& rows, std::int64_t offset, std::int64_t width) {
    rows.inner == 1 ? rows.row_loops(offset) : rows.tile_loops(offset, width);
  }
  D2L_NEVER_INLINE static void baseline(const Rows& rows, std::int64_t offset, std::int64_t width) {
    loops(rows, offset, width);
  }
  D2L_WIDE static void wide(const Rows& rows, std::int64_t offset, std::int64_t width) { loops(rows, offset, width); }
  D2L_WIDEST static void widest(const Rows& rows, std::int64_t offset, std::int64_t width) {
    loops(rows, offset, width);
  }

  /// Computes tile number `index` of {outer, tiles}.
  static void tile(const Rows& rows, std::int64_t index) {
    const std::int64_t tiles = (rows.inner + softmax_tile - 1) / softmax_tile;
    const std::int64_t first = index % tiles * softmax_tile;
    const std::int64_t offset = index / tiles * rows.n * rows.inner + first;
    const std::int64_t width = std::min(softmax_tile, rows.inner - first);
    if (widest_vectors()) return widest(rows, offset, width);
    wide_vectors() ? wide(rows, offset, width) : baseline(rows, offset, width);
  }
};

}  // namespace d2l::backend::kernels
