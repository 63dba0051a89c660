// SPDX-License-Identifier: MIT
#include "kernels/cpu/sixteen_bit_lines.h"

#include <algorithm>
#include <array>

#include "kernels/cpu/sixteen_bit_vectors.h"
#include "kernels/element.h"
#include "kernels/rows.h"

namespace d2l::backend::kernels {
namespace {

constexpr std::int64_t lanes = 32;  // of a sum

struct OfHalf {
  static float wide(std::uint16_t bits) { return d2l::detail::half_to_float(bits); }
  static std::uint16_t narrow(float value) { return d2l::detail::float_to_half(value); }
};
struct OfBFloat16 {
  static float wide(std::uint16_t bits) { return d2l::detail::bfloat16_to_float(bits); }
  static std::uint16_t narrow(float value) { return d2l::detail::float_to_bfloat16(value); }
};

template <Operation operation>
float arithmetic(float a, float b) {
  if constexpr (operation == Operation::add) return a + b;
  if constexpr (operation == Operation::sub) return a - b;
  if constexpr (operation == Operation::mul) return a * b;
  if constexpr (operation == Operation::div) return a / b;
}

/// For any processor.
template <class Of>
struct Elements {
  static void widen(float* to, const std::uint16_t* from, std::int64_t count) {
    D2L_VECTORISE
    for (std::int64_t i = 0; i < count; ++i) to[i] = Of::wide(from[i]);
  }
  static void narrow(std::uint16_t* to, const float* from, std::int64_t count) {
    D2L_VECTORISE
    for (std::int64_t i = 0; i < count; ++i) to[i] = Of::narrow(from[i]);
  }
  template <Operation operation>
  static void combine(std::uint16_t* to, const std::uint16_t* a, const std::uint16_t* b, std::int64_t count) {
    D2L_VECTORISE
    for (std::int64_t i = 0; i < count; ++i) to[i] = Of::narrow(arithmetic<operation>(Of::wide(a[i]), Of::wide(b[i])));
  }
  /// Adds a block, whose count is a multiple of `lanes`, to the totals.
  static void add_block(SumTotals& totals, const std::uint16_t* from, std::int64_t count) {
    std::array<float, lanes> sums{};
    for (std::int64_t i = 0; i < count; i += lanes) {
      for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += Of::wide(from[i + std::int64_t(lane)]);
    }
    for (std::size_t k = 0; k < totals.size(); ++k) {
      totals[k] += static_cast<double>((sums[k] + sums[k + 8]) + (sums[k + 16] + sums[k + 24]));
    }
  }
};

/// The loops of Vectors for what fills whole vectors, where the processor has them, and those of Elements for the rest.
template <class Of, class Vectors>
struct Lines {
  static std::int64_t in_vectors(std::int64_t count) { return converts_vectors() ? count / 16 * 16 : 0; }
  static void widen(float* to, const std::uint16_t* from, std::int64_t count) {
    const std::int64_t done = in_vectors(count);
    Vectors::widen(to, from, done);
    Elements<Of>::widen(to + done, from + done, count - done);
  }
  static void narrow(std::uint16_t* to, const float* from, std::int64_t count) {
    const std::int64_t done = in_vectors(count);
    Vectors::narrow(to, from, done);
    Elements<Of>::narrow(to + done, from + done, count - done);
  }
  template <Operation operation>
  static bool combine(std::uint16_t* to, const std::uint16_t* a, const std::uint16_t* b, std::int64_t count) {
    const std::int64_t done = in_vectors(count);
    Vectors::template combine<operation>(to, a, b, done);
    Elements<Of>::template combine<operation>(to + done, a + done, b + done, count - done);
    return true;
  }
  static bool combine(Operation operation, std::uint16_t* to, const std::uint16_t* a, const std::uint16_t* b,
                      std::int64_t count) {
    switch (operation) {
      case Operation::add:
        return combine<Operation::add>(to, a, b, count);
      case Operation::sub:
        return combine<Operation::sub>(to, a, b, count);
      case Operation::mul:
        return combine<Operation::mul>(to, a, b, count);
      case Operation::div:
        return combine<Operation::div>(to, a, b, count);
      default:
        return false;
    }
  }
  /// The numbers of a block are added as float32, and the sums of blocks as float64.
  static double sum(const std::uint16_t* from, std::int64_t count) {
    constexpr std::int64_t block = 512;
    const auto add_block = converts_vectors() ? &Vectors::add_block : &Elements<Of>::add_block;
    SumTotals totals{};
    std::int64_t i = 0;
    while (count - i >= lanes) {
      const std::int64_t size = std::min(block, (count - i) / lanes * lanes);
      add_block(totals, from + i, size);
      i += size;
    }
    double total = 0;
    for (const double one : totals) total += one;
    for (; i < count; ++i) total += static_cast<double>(Of::wide(from[i]));
    return total;
  }
};

using Halves = Lines<OfHalf, HalfVectors>;
using BFloat16s = Lines<OfBFloat16, BFloat16Vectors>;

}  // namespace

void widen(float* to, const std::uint16_t* from, std::int64_t count, ScalarType type) {
  (type == kHalf ? Halves::widen : BFloat16s::widen)(to, from, count);
}

void narrow(std::uint16_t* to, const float* from, std::int64_t count, ScalarType type) {
  (type == kHalf ? Halves::narrow : BFloat16s::narrow)(to, from, count);
}

float widened(std::uint16_t bits, ScalarType type) {
  return type == kHalf ? OfHalf::wide(bits) : OfBFloat16::wide(bits);
}

bool combine(Operation operation, std::uint16_t* to, const std::uint16_t* a, const std::uint16_t* b, std::int64_t count,
             ScalarType type) {
  return type == kHalf ? Halves::combine(operation, to, a, b, count) : BFloat16s::combine(operation, to, a, b, count);
}

double sum(const std::uint16_t* from, std::int64_t count, ScalarType type) {
  return type == kHalf ? Halves::sum(from, count) : BFloat16s::sum(from, count);
}

}  // namespace d2l::backend::kernels
