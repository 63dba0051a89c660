// SPDX-License-Identifier: MIT
// The steps of each reduction: start, add an element, join two parts, finish.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/element.h"

namespace d2l::backend::kernels {

/// Sums: floating-point numbers in double, integers in wrapping 64-bit ones.
template <class In, class Result>
struct SumReduction {
  using Input = In;
  using Output = Result;
  using Accumulator = std::conditional_t<is_floating<In>, double, std::uint64_t>;
  static constexpr int lanes = 16;
  /// A GPU adds a few float32 numbers before it converts their sum: some cards have few units for double.
  static constexpr bool adds_runs = std::is_same_v<In, float>;
  /// A host sums blocks separately, so that rounding errors do not accumulate along a row.
  static constexpr std::int64_t block = 4096;
  static constexpr bool has_index = false;
  static constexpr bool finds = false;

  D2L_HOST_DEVICE static Accumulator start() { return 0; }
  D2L_HOST_DEVICE static void add(Accumulator& sum, In value, std::int64_t) {
    sum += static_cast<Accumulator>(comparable(value));
  }
  D2L_HOST_DEVICE static void add_run(Accumulator& sum, float run, const float (&values)[8]) {
    if (run - run == 0) {
      sum += static_cast<double>(run);
    } else {  // the run overflows, or has an infinity or a NaN
      for (const float value : values) sum += static_cast<double>(value);
    }
  }
  D2L_HOST_DEVICE static void join(Accumulator& sum, Accumulator other) { sum += other; }
  D2L_HOST_DEVICE static Output finish(Accumulator sum, std::int64_t) { return static_cast<Output>(sum); }
};

template <class In>
struct MeanReduction : SumReduction<In, In> {
  D2L_HOST_DEVICE static In finish(double sum, std::int64_t count) {
    return static_cast<In>(sum / static_cast<double>(count));
  }
};

/// The square root of the sum of squares.
template <class In>
struct NormReduction : SumReduction<In, In> {
  static constexpr bool adds_runs = false;
  D2L_HOST_DEVICE static void add(double& sum, In value, std::int64_t) {
    sum += static_cast<double>(value) * static_cast<double>(value);
  }
  D2L_HOST_DEVICE static In finish(double sum, std::int64_t) { return static_cast<In>(std::sqrt(sum)); }
};

struct Larger {
  template <class T>
  D2L_HOST_DEVICE static bool wins(T a, T b) {
    return a > b;
  }
  template <class T>
  D2L_HOST_DEVICE static constexpr T worst() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
};

struct Smaller {
  template <class T>
  D2L_HOST_DEVICE static bool wins(T a, T b) {
    return a < b;
  }
  template <class T>
  D2L_HOST_DEVICE static constexpr T worst() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
};

/// The largest or smallest element, or NaN if one is NaN.
template <class In, class Order>
struct ExtremeReduction {
  using Input = In;
  using Output = In;
  using Accumulator = decltype(comparable(In{}));
  static constexpr int lanes = sizeof(Accumulator) < 4 ? 32 : static_cast<int>(128 / sizeof(Accumulator));
  static constexpr std::int64_t block = std::numeric_limits<std::int64_t>::max();
  static constexpr bool has_index = false;
  static constexpr bool finds = false;

  D2L_HOST_DEVICE static Accumulator start() { return Order::template worst<Accumulator>(); }
  D2L_HOST_DEVICE static void add(Accumulator& best, In value, std::int64_t) { join(best, comparable(value)); }
  D2L_HOST_DEVICE static void join(Accumulator& best, Accumulator other) {
    best = static_cast<bool>(Order::wins(other, best) | (other != other)) ? other : best;
  }
  D2L_HOST_DEVICE static Output finish(Accumulator best, std::int64_t) { return convert<In>(best); }
};

/// A value and the index of its first occurrence; -1 before any element.
template <class T>
struct Found {
  T value;
  std::int64_t index;
};

/// The largest or smallest element, and the index of its first occurrence; NaN is more extreme than any number.
template <class In, class Result, class Order, bool index_is_output>
struct ExtremeIndexReduction {
  using Input = In;
  using Output = Result;
  using Value = decltype(comparable(In{}));
  using Accumulator = Found<Value>;
  /// A host first finds the value, with vector instructions, and then its index.
  using ValueReduction = ExtremeReduction<In, Order>;
  static constexpr bool has_index = !index_is_output;
  static constexpr bool finds = true;

  D2L_HOST_DEVICE static Accumulator start() { return {Value{}, -1}; }
  D2L_HOST_DEVICE static void add(Accumulator& best, In value, std::int64_t index) {
    join(best, {comparable(value), index});
  }
  D2L_HOST_DEVICE static void join(Accumulator& best, Accumulator other) {
    if (other.index < 0) return;
    const bool other_is_nan = other.value != other.value;
    const bool best_is_nan = best.value != best.value;
    const bool same = other.value == best.value || (other_is_nan && best_is_nan);
    const bool wins = best.index < 0 || (same ? other.index < best.index
                                              : !best_is_nan && (other_is_nan || Order::wins(other.value, best.value)));
    if (wins) best = other;
  }
  D2L_HOST_DEVICE static Output finish(Accumulator best, std::int64_t) {
    if constexpr (index_is_output) {
      return best.index;
    } else {
      return convert<In>(best.value);
    }
  }
};

}  // namespace d2l::backend::kernels
