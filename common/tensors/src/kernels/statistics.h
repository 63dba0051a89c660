// SPDX-License-Identifier: MIT
// The steps of further reductions: products, variances, and logarithms of sums of exponentials.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/element.h"

namespace d2l::backend::kernels {

/// Products: of floating-point numbers in double, of integers in wrapping 64-bit ones.
template <class In, class Result>
struct ProductReduction {
  using Input = In;
  using Output = Result;
  using Accumulator = std::conditional_t<is_floating<In>, double, std::uint64_t>;
  static constexpr int lanes = 8;
  static constexpr std::int64_t block = std::numeric_limits<std::int64_t>::max();
  static constexpr bool has_index = false;
  static constexpr bool finds = false;

  D2L_HOST_DEVICE static Accumulator start() { return 1; }
  D2L_HOST_DEVICE static void add(Accumulator& product, In value, std::int64_t) {
    product *= static_cast<Accumulator>(comparable(value));
  }
  D2L_HOST_DEVICE static void join(Accumulator& product, Accumulator other) { product *= other; }
  D2L_HOST_DEVICE static Output finish(Accumulator product, std::int64_t) { return static_cast<Output>(product); }
};

/// The mean of some numbers, and the sum of the squares of their differences from it.
struct Moments {
  double count;
  double mean;
  double squares;
};

/// The variance, or its square root, in one pass (Welford 1962; parts are joined as by Chan, Golub and LeVeque 1983).
template <class In, bool root>
struct VarianceReduction {
  using Input = In;
  using Output = In;
  using Accumulator = Moments;
  static constexpr int lanes = 4;
  static constexpr std::int64_t block = std::numeric_limits<std::int64_t>::max();
  static constexpr bool has_index = false;
  static constexpr bool finds = false;

  D2L_HOST_DEVICE static Accumulator start() { return {0, 0, 0}; }
  D2L_HOST_DEVICE static void add(Accumulator& total, In value, std::int64_t) {
    const auto number = static_cast<double>(value);
    const double difference = number - total.mean;
    total.count += 1;
    total.mean += difference / total.count;
    total.squares += difference * (number - total.mean);
  }
  D2L_HOST_DEVICE static void join(Accumulator& total, const Accumulator& other) {
    if (other.count == 0) return;
    const double count = total.count + other.count;
    const double difference = other.mean - total.mean;
    const double share = other.count / count;
    total.squares += other.squares + difference * difference * total.count * share;
    total.mean += difference * share;
    total.count = count;
  }
  D2L_HOST_DEVICE static Output finish(const Accumulator& total, std::int64_t count, double correction) {
    const double divisor = static_cast<double>(count) - correction;
    const double variance = total.squares / (divisor > 0 ? divisor : 0);
    return static_cast<Output>(root ? std::sqrt(variance) : variance);
  }
};

/// A sum of exponentials, relative to the largest exponent so far.
template <class T>
struct ExponentialSum {
  T largest;
  double sum;
};

/// The logarithm of the sum of exponentials, in one pass.
template <class T>
struct ExponentialSumReduction {
  using Input = T;
  using Output = T;
  using Accumulator = ExponentialSum<T>;
  static constexpr int lanes = 4;
  static constexpr std::int64_t block = std::numeric_limits<std::int64_t>::max();
  static constexpr bool has_index = false;
  static constexpr bool finds = false;

  D2L_HOST_DEVICE static Accumulator start() { return {-std::numeric_limits<T>::infinity(), 0}; }
  D2L_HOST_DEVICE static void add(Accumulator& total, T value, std::int64_t) {
    if (value != -std::numeric_limits<T>::infinity()) join(total, {value, 1});
  }
  /// Equal exponents are added as they are: the difference of two infinities would be NaN.
  D2L_HOST_DEVICE static void join(Accumulator& total, Accumulator other) {
    if (other.sum == 0) return;
    if (total.sum == 0 || other.largest > total.largest) {
      const Accumulator smaller = total;
      total = other;
      other = smaller;
    }
    if (other.sum == 0) return;
    total.sum += other.largest == total.largest
                     ? other.sum
                     : other.sum * static_cast<double>(std::exp(other.largest - total.largest));
  }
  D2L_HOST_DEVICE static Output finish(const Accumulator& total, std::int64_t) {
    return static_cast<Output>(static_cast<double>(total.largest) + std::log(total.sum));
  }
};

}  // namespace d2l::backend::kernels
