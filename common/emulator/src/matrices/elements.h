// SPDX-License-Identifier: MIT
// What a lane brings to a product of matrices, and the elements in it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "d2l_emulator/matrices/products.h"
#include "d2l_emulator/small_floats.h"
#include "execution/worker.h"

namespace d2l::emulator {

struct ProductWork : WarpWork {  ///< `kind` is the product
  const void* a;
  const void* b;
  const void* c;
  void* d;
};
/// By lane; null for one that does not take part.
using ProductLanes = std::array<const ProductWork*, matrix_lanes>;

template <class T>
T load_element(const void* from, int index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(from) + sizeof(T) * static_cast<unsigned>(index), sizeof value);
  return value;
}
template <class T>
void store_element(void* to, int index, T value) {
  std::memcpy(static_cast<char*>(to) + sizeof(T) * static_cast<unsigned>(index), &value, sizeof value);
}

template <int exponent_bits, int mantissa_bits>
float load_small(const void* from, int index) {
  const auto bits = load_element<std::uint16_t>(from, index);
  if (bits == 0) return 0;  // frequent, and from_small() takes long for it
  return from_small<exponent_bits, mantissa_bits>(bits);
}

/// A number with 4 bits of exponent and 3 after the point: it has no infinity, and one number that is none.
inline float from_e4m3(unsigned bits) {
  constexpr int bias = 7;
  const unsigned magnitude = bits & 0x7fU;
  if (magnitude == 0x7fU) return std::numeric_limits<float>::quiet_NaN();
  const int exponent = static_cast<int>(magnitude >> 3U);
  const int digits = static_cast<int>(magnitude & 7U) + (exponent == 0 ? 0 : 8);
  const float value = std::ldexp(static_cast<float>(digits), std::max(exponent, 1) - bias - 3);
  return (bits & 0x80U) != 0 ? -value : value;
}

/// The element with this number of what a lane has.
template <class T>
T get_element(MatrixElement type, const void* own, int index) {
  constexpr std::uint32_t tf32_bits = 0xffffe000U;  // a card ignores the others
  switch (type) {
    case MatrixElement::f16:
      return static_cast<T>(load_small<5, 10>(own, index));
    case MatrixElement::bf16:
      return static_cast<T>(load_small<8, 7>(own, index));
    case MatrixElement::tf32:
      return static_cast<T>(std::bit_cast<float>(load_element<std::uint32_t>(own, index) & tf32_bits));
    case MatrixElement::f32:
      return static_cast<T>(load_element<float>(own, index));
    case MatrixElement::f64:
      return static_cast<T>(load_element<double>(own, index));
    case MatrixElement::e4m3:
      return static_cast<T>(from_e4m3(load_element<std::uint8_t>(own, index)));
    case MatrixElement::e5m2:  // the upper half of a half
      return static_cast<T>(from_small<5, 10>(static_cast<std::uint16_t>(load_element<std::uint8_t>(own, index) << 8)));
    case MatrixElement::s8:
      return static_cast<T>(load_element<std::int8_t>(own, index));
    case MatrixElement::u8:
      return static_cast<T>(load_element<std::uint8_t>(own, index));
    case MatrixElement::s32:
      return static_cast<T>(load_element<std::int32_t>(own, index));
    case MatrixElement::s4:
    case MatrixElement::u4: {
      const int both = load_element<std::uint8_t>(own, index / 2);
      const int value = index % 2 == 0 ? both & 15 : both >> 4;
      return static_cast<T>(type == MatrixElement::s4 && value >= 8 ? value - 16 : value);
    }
    case MatrixElement::b1:
      return static_cast<T>(load_element<std::uint8_t>(own, index / 8) >> (index % 8) & 1);
  }
  return T{};
}

template <class T>
void set_element(MatrixElement type, void* own, int index, T value) {
  switch (type) {
    case MatrixElement::f16:
      return store_element(own, index, to_small<5, 10>(static_cast<float>(value)));
    case MatrixElement::s32:
      return store_element(own, index, static_cast<std::int32_t>(value));
    case MatrixElement::f64:
      return store_element(own, index, static_cast<double>(value));
    default:
      return store_element(own, index, static_cast<float>(value));
  }
}

/// The four products of 8 x 8 x 4 by the instruction mma.m8n8k4 with elements of 16 bits.
void multiply_quads(const MatrixProduct& product, const ProductLanes& lanes);

}  // namespace d2l::emulator
