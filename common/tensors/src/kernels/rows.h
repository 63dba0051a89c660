// SPDX-License-Identifier: MIT
// Rows: loops over strided arrays on a host. A row is the innermost dimension; the compiler vectorises its loop.
#pragma once

#include <array>
#include <cstdint>

#include "backend/kernel.h"
#include "kernels/streaming.h"

// For loops over arrays that are identical or do not overlap.
#if defined(__clang__)
#define D2L_VECTORISE _Pragma("clang loop vectorize(assume_safety)")
#define D2L_VECTORISE_SHORT D2L_VECTORISE
#define D2L_ROLLED _Pragma("clang loop unroll(disable)")
// A loop that calls std::exp, for example, cannot be vectorised.
#pragma clang diagnostic ignored "-Wpass-failed"
#elif defined(__GNUC__)
#define D2L_VECTORISE _Pragma("GCC ivdep")
#define D2L_ROLLED
#ifdef __CUDACC__
#define D2L_VECTORISE_SHORT D2L_VECTORISE
#else
// The compiler does not vectorise a short loop after unrolling it.
#define D2L_VECTORISE_SHORT _Pragma("GCC unroll 1") _Pragma("GCC ivdep")
#endif
#else
#define D2L_VECTORISE
#define D2L_VECTORISE_SHORT
#define D2L_ROLLED
#endif
#define D2L_ALWAYS_INLINE inline __attribute__((always_inline))
#define D2L_NEVER_INLINE __attribute__((noinline))

namespace d2l::backend::kernels {

/// Computes `count` elements, given the operands' addresses and their strides in elements.
using Row = void (*)(char* const* data, const std::int64_t* strides, std::int64_t count);

/// Work on strided arrays: a row function and its operands.
struct RowWork {
  Row row;
  Row streaming_row;  ///< bypasses the cache
  int operand_count;
  int rank;
  const std::int64_t* sizes;
  std::array<char*, max_operands> data;
  std::array<const std::int64_t*, max_operands> strides;
  std::array<std::int64_t, max_operands> element_sizes;
  bool streams;  ///< the result is large, contiguous, and none of the inputs
};

/// Calls row(data, strides, count), like a row function, for the elements begin to end, in row-major order.
template <class RowFunction>
void walk_rows(const RowWork& work, std::int64_t begin, std::int64_t end, const RowFunction& row) {
  const int last = work.rank - 1;
  std::array<std::int64_t, max_dimensions> position{};
  std::array<char*, max_operands> data = work.data;
  std::array<std::int64_t, max_operands> inner{};
  std::int64_t rest = begin;
  for (int dimension = last; dimension >= 0; --dimension) {
    const auto d = static_cast<std::size_t>(dimension);
    position[d] = dimension == 0 ? rest : rest % work.sizes[d];
    rest = dimension == 0 ? 0 : rest / work.sizes[d];
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(work.operand_count); ++k) {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < static_cast<std::size_t>(work.rank); ++d) offset += position[d] * work.strides[k][d];
    data[k] += offset * work.element_sizes[k];
    inner[k] = work.strides[k][static_cast<std::size_t>(last)];
  }
  for (std::int64_t done = begin; done < end;) {
    const auto l = static_cast<std::size_t>(last);
    const std::int64_t row_rest = work.sizes[l] - position[l];
    const std::int64_t count = row_rest < end - done ? row_rest : end - done;
    row(data.data(), inner.data(), count);
    done += count;
    if (done >= end) break;
    // To the start of the next row.
    for (std::size_t k = 0; k < static_cast<std::size_t>(work.operand_count); ++k) {
      data[k] -= position[l] * inner[k] * work.element_sizes[k];
    }
    position[l] = 0;
    for (int dimension = last - 1; dimension >= 0; --dimension) {
      const auto d = static_cast<std::size_t>(dimension);
      const bool carry = ++position[d] == work.sizes[d];
      for (std::size_t k = 0; k < static_cast<std::size_t>(work.operand_count); ++k) {
        const std::int64_t step = work.strides[k][d] * work.element_sizes[k];
        data[k] += carry ? step * (1 - work.sizes[d]) : step;
      }
      if (!carry) break;
      position[d] = 0;
    }
  }
}

/// Calls the row function of the work.
inline void walk_rows(const RowWork& work, std::int64_t begin, std::int64_t end) {
  walk_rows(work, begin, end, work.streams ? work.streaming_row : work.row);
  if (work.streams) finish_streaming();
}

/// out[i] = element(i); bypasses the cache if `streams`.
template <bool streams, class Out, class Element>
D2L_ALWAYS_INLINE void write_elements(Out* out, std::int64_t count, const Element& element) {
  std::int64_t i = 0;
  if constexpr (streams) {
    for (; i < count && !at_line(out + i); ++i) out[i] = element(i);
    for (; i + line_elements<Out> <= count; i += line_elements<Out>) {
      alignas(line_bytes) Out line[line_elements<Out>];
      D2L_VECTORISE_SHORT
      for (std::int64_t j = 0; j < line_elements<Out>; ++j) line[j] = element(i + j);
      stream_line(out + i, line);
    }
  }
  D2L_VECTORISE
  for (std::int64_t rest = i; rest < count; ++rest) out[rest] = element(rest);
}

template <bool streams, class F, class Out, class A>
D2L_ALWAYS_INLINE void unary_row(char* const* data, const std::int64_t* strides, std::int64_t count) {
  const F f{};
  auto* out = reinterpret_cast<Out*>(data[0]);
  const auto* a = reinterpret_cast<const A*>(data[1]);
  if (strides[0] == 1 && strides[1] == 1) {
    write_elements<streams>(out, count, [=](std::int64_t i) { return f(a[i]); });
  } else if (strides[0] == 1 && strides[1] == 0) {
    const Out value = f(*a);
    write_elements<streams>(out, count, [=](std::int64_t) { return value; });
  } else {
    for (std::int64_t i = 0; i < count; ++i) out[i * strides[0]] = f(a[i * strides[1]]);
  }
}

template <bool streams, class F, class Out, class A>
D2L_ALWAYS_INLINE void binary_row(char* const* data, const std::int64_t* strides, std::int64_t count) {
  const F f{};
  auto* out = reinterpret_cast<Out*>(data[0]);
  const auto* a = reinterpret_cast<const A*>(data[1]);
  const auto* b = reinterpret_cast<const A*>(data[2]);
  if (strides[0] == 1 && strides[1] == 1 && strides[2] == 1) {
    write_elements<streams>(out, count, [=](std::int64_t i) { return f(a[i], b[i]); });
  } else if (strides[0] == 1 && strides[1] == 1 && strides[2] == 0) {
    const A right = *b;
    write_elements<streams>(out, count, [=](std::int64_t i) { return f(a[i], right); });
  } else if (strides[0] == 1 && strides[1] == 0 && strides[2] == 1) {
    const A left = *a;
    write_elements<streams>(out, count, [=](std::int64_t i) { return f(left, b[i]); });
  } else {
    for (std::int64_t i = 0; i < count; ++i) out[i * strides[0]] = f(a[i * strides[1]], b[i * strides[2]]);
  }
}

// Each loop is compiled for the baseline processor and for AVX2, and those with much arithmetic for an element for
// AVX-512 too; all round alike. Only these functions use AVX2 and AVX-512, so that code shared with other files runs on
// every processor.
#if defined(__x86_64__) && !defined(__CUDACC__)
#define D2L_WIDE __attribute__((target("avx2"), noinline))
#if defined(__clang__)
#define D2L_WIDEST __attribute__((target("avx512f,avx512dq"), noinline))
#else
#define D2L_WIDEST __attribute__((target("avx512f,avx512dq,prefer-vector-width=512"), noinline))
#endif
inline bool wide_vectors() { return __builtin_cpu_supports("avx2") != 0; }
inline bool widest_vectors() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0;
}
#else
#define D2L_WIDE D2L_NEVER_INLINE
#define D2L_WIDEST D2L_NEVER_INLINE
inline bool wide_vectors() { return false; }
inline bool widest_vectors() { return false; }
#endif

/// True for a function that no compiler vectorises: it calls the C library or divides integers. Then one loop is
/// enough.
template <class F>
inline constexpr bool is_one_by_one = requires {
  F::one_by_one;
};

/// The row functions of out = f(a), or of out = f(a, b).
template <class F, class Out, class In, int inputs>
struct Rows {
  template <bool streams>
  static D2L_ALWAYS_INLINE void loops(char* const* data, const std::int64_t* strides, std::int64_t count) {
    if constexpr (inputs == 1) {
      unary_row<streams, F, Out, In>(data, strides, count);
    } else {
      binary_row<streams, F, Out, In>(data, strides, count);
    }
  }
  static void one_by_one(char* const* data, const std::int64_t* strides, std::int64_t count) {
    const F f{};
    auto* out = reinterpret_cast<Out*>(data[0]);
    const auto* a = reinterpret_cast<const In*>(data[1]);
    if constexpr (inputs == 1) {
      for (std::int64_t i = 0; i < count; ++i) out[i * strides[0]] = f(a[i * strides[1]]);
    } else {
      const auto* b = reinterpret_cast<const In*>(data[2]);
      for (std::int64_t i = 0; i < count; ++i) out[i * strides[0]] = f(a[i * strides[1]], b[i * strides[2]]);
    }
  }
  template <bool streams>
  static void baseline(char* const* data, const std::int64_t* strides, std::int64_t count) {
    loops<streams>(data, strides, count);
  }
  template <bool streams>
  D2L_WIDE static void wide(char* const* data, const std::int64_t* strides, std::int64_t count) {
    loops<streams>(data, strides, count);
  }
  /// `past_the_cache`: a contiguous result bypasses the cache. Elements of one byte have no loops for that.
  template <bool past_the_cache>
  static Row choose() {
    if constexpr (is_one_by_one<F>) {
      return &one_by_one;
    } else {
      constexpr bool streams = past_the_cache && sizeof(Out) > 1;
      return wide_vectors() ? &wide<streams> : &baseline<streams>;
    }
  }
};

}  // namespace d2l::backend::kernels
