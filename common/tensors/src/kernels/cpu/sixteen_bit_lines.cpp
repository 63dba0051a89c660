// SPDX-License-Identifier: MIT
#include "kernels/cpu/sixteen_bit_lines.h"

#include "kernels/element.h"
#include "kernels/rows.h"

namespace d2l::backend::kernels {
namespace {

struct OfHalf {
  static float wide(std::uint16_t bits) { return d2l::detail::half_to_float(bits); }
  static std::uint16_t narrow(float value) { return d2l::detail::float_to_half(value); }
};
struct OfBFloat16 {
  static float wide(std::uint16_t bits) { return d2l::detail::bfloat16_to_float(bits); }
  static std::uint16_t narrow(float value) { return d2l::detail::float_to_bfloat16(value); }
};

template <class Of>
D2L_ALWAYS_INLINE void widen_loop(float* to, const std::uint16_t* from, std::int64_t count) {
  D2L_VECTORISE
  for (std::int64_t i = 0; i < count; ++i) to[i] = Of::wide(from[i]);
}
template <class Of>
D2L_ALWAYS_INLINE void narrow_loop(std::uint16_t* to, const float* from, std::int64_t count) {
  D2L_VECTORISE
  for (std::int64_t i = 0; i < count; ++i) to[i] = Of::narrow(from[i]);
}

template <class Of>
struct Lines {
  static void widen_all(float* to, const std::uint16_t* from, std::int64_t count) { widen_loop<Of>(to, from, count); }
  static void narrow_all(std::uint16_t* to, const float* from, std::int64_t count) { narrow_loop<Of>(to, from, count); }
  D2L_WIDE static void widen_wide(float* to, const std::uint16_t* from, std::int64_t count) {
    widen_loop<Of>(to, from, count);
  }
  D2L_WIDE static void narrow_wide(std::uint16_t* to, const float* from, std::int64_t count) {
    narrow_loop<Of>(to, from, count);
  }
  static void widen(float* to, const std::uint16_t* from, std::int64_t count) {
    (wide_vectors() ? widen_wide : widen_all)(to, from, count);
  }
  static void narrow(std::uint16_t* to, const float* from, std::int64_t count) {
    (wide_vectors() ? narrow_wide : narrow_all)(to, from, count);
  }
};

}  // namespace

void widen(float* to, const std::uint16_t* from, std::int64_t count, ScalarType type) {
  (type == kHalf ? Lines<OfHalf>::widen : Lines<OfBFloat16>::widen)(to, from, count);
}

void narrow(std::uint16_t* to, const float* from, std::int64_t count, ScalarType type) {
  (type == kHalf ? Lines<OfHalf>::narrow : Lines<OfBFloat16>::narrow)(to, from, count);
}

float widened(std::uint16_t bits, ScalarType type) {
  return type == kHalf ? OfHalf::wide(bits) : OfBFloat16::wide(bits);
}

}  // namespace d2l::backend::kernels
