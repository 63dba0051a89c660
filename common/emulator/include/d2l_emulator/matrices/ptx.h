// SPDX-License-Identifier: MIT
// What mma, ldmatrix, stmatrix and movmatrix of inline PTX become.
#pragma once

#include <bit>
#include <cstdint>

#include "d2l_emulator/matrices/products.h"
#include "d2l_emulator/small_floats.h"

namespace d2l::emulator::ptx {

/// Rounds to the nearest number of 10 bits after the point, and away from zero if two are equally near.
inline float to_tf32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7f800000U) == 0x7f800000U) return value;  // infinite, or no number
  return std::bit_cast<float>((bits + 0x1000U) & 0xffffe000U);
}

/// Two numbers of 16 bits; `high` has the upper bits.
template <int exponent_bits, int mantissa_bits>
unsigned pair(float high, float low) {
  return static_cast<unsigned>(to_small<exponent_bits, mantissa_bits>(high)) << 16U |
         to_small<exponent_bits, mantissa_bits>(low);
}

/// A product that differs from `product` in what the instruction says.
constexpr MatrixProduct saturating(MatrixProduct product) {
  product.saturate = true;
  return product;
}
constexpr MatrixProduct by_and(MatrixProduct product) {
  product.by_and = true;
  return product;
}
constexpr MatrixProduct by_quads(MatrixProduct product, bool first_by_column, bool second_by_column) {
  product.quads = true;
  product.first_by_column = first_by_column;
  product.second_by_column = second_by_column;
  return product;
}

inline void multiply(const MatrixProduct& product, const void* a, const void* b, const void* c, void* d,
                     Place place = Place::here()) {
  multiply_matrices(product, a, b, c, d, {"mma", place, nullptr});
}
__attribute__((noinline)) inline void load_matrices(int count, bool transposed, unsigned* registers, const void* row,
                                                    Place place = Place::here()) {
  load_rows(count, transposed, registers, row, {"ldmatrix", place, __builtin_return_address(0)});
}
__attribute__((noinline)) inline void store_matrices(int count, bool transposed, const unsigned* registers, void* row,
                                                     Place place = Place::here()) {
  store_rows(count, transposed, registers, row, {"stmatrix", place, __builtin_return_address(0)});
}
inline unsigned transposed(unsigned own, Place place = Place::here()) {
  return transpose_matrix(own, {"movmatrix", place, nullptr});
}

}  // namespace d2l::emulator::ptx
