// SPDX-License-Identifier: MIT
/// @file
/// Half and BFloat16: floating-point numbers of 16 bits. Arithmetic converts them to float, and rounds its result once.
#pragma once

#include <bit>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <type_traits>

namespace d2l {
namespace detail {

/// The number that the bits of a Half stand for; exact.
constexpr float half_to_float(std::uint16_t bits) noexcept {
  const std::uint32_t shifted = std::uint32_t{bits} << 16U;
  const std::uint32_t sign = shifted & 0x80000000U;
  const std::uint32_t magnitude = shifted << 1U;
  // The exponent of a float is larger by 112. Its 5 bits become 8 by an addition, which also makes infinity and NaN of
  // the largest exponent, and a product.
  const float normal = std::bit_cast<float>((magnitude >> 4U) + (224U << 23U)) * 0x1p-112F;
  const float subnormal = std::bit_cast<float>((magnitude >> 17U) | (126U << 23U)) - 0.5F;
  const auto chosen = std::bit_cast<std::uint32_t>(magnitude < (1U << 27U) ? subnormal : normal);
  return std::bit_cast<float>(sign | chosen);
}

/// The bits of the nearest Half; of two that are equally near, the even one.
constexpr std::uint16_t float_to_half(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  const std::uint32_t normal = (magnitude + 0xFFFU + ((magnitude >> 13U) & 1U) - (112U << 23U)) >> 13U;
  // The spacing of floats from 0.5 is that of the subnormal halves, so the sum rounds to it.
  const float shifted = std::bit_cast<float>(magnitude < (113U << 23U) ? magnitude : 0U) + 0.5F;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(shifted) - (126U << 23U);
  const std::uint32_t finite = magnitude < (113U << 23U) ? subnormal : normal;
  const std::uint32_t special = magnitude > 0x7F800000U ? 0x7E00U : 0x7C00U;
  return static_cast<std::uint16_t>(sign | (magnitude < (143U << 23U) ? finite : special));
}

/// The number that the bits of a BFloat16 stand for: the upper half of a float.
constexpr float bfloat16_to_float(std::uint16_t bits) noexcept {
  return std::bit_cast<float>(std::uint32_t{bits} << 16U);
}

/// The bits of the nearest BFloat16; of two that are equally near, the even one.
constexpr std::uint16_t float_to_bfloat16(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U;
  return static_cast<std::uint16_t>((bits & 0x7FFFFFFFU) > 0x7F800000U ? 0x7FC0U : rounded);
}

}  // namespace detail

/// IEEE 754's binary16: 11 bits of precision, at most 65504; the C++ type of kHalf.
struct Half {
  struct from_bits_t {};                                            ///< selects the constructor from bits
  static constexpr from_bits_t from_bits() noexcept { return {}; }  ///< the argument that selects it
  std::uint16_t x;                                                  ///< the bits

  Half() = default;
  /// From bits.
  constexpr Half(std::uint16_t bits, from_bits_t /*tag*/) noexcept : x(bits) {}
  /// The nearest number; infinity for one that is too large.
  constexpr Half(float value) noexcept : x(detail::float_to_half(value)) {}  // NOLINT(google-explicit-constructor)
  /// The same number.
  constexpr operator float() const noexcept { return detail::half_to_float(x); }  // NOLINT(google-explicit-constructor)
};

/// The upper 16 bits of a float: 8 bits of precision, and a float's range; the C++ type of kBFloat16.
struct BFloat16 {
  struct from_bits_t {};                                            ///< selects the constructor from bits
  static constexpr from_bits_t from_bits() noexcept { return {}; }  ///< the argument that selects it
  std::uint16_t x;                                                  ///< the bits

  BFloat16() = default;
  /// From bits.
  constexpr BFloat16(std::uint16_t bits, from_bits_t /*tag*/) noexcept : x(bits) {}
  /// The nearest number.
  constexpr BFloat16(float value) noexcept  // NOLINT(google-explicit-constructor)
      : x(detail::float_to_bfloat16(value)) {}
  /// The same number.
  constexpr operator float() const noexcept {  // NOLINT(google-explicit-constructor)
    return detail::bfloat16_to_float(x);
  }
};

namespace detail {
template <class T>
inline constexpr bool is_sixteen_bits = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
/// A floating-point type of any size.
template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T> || is_sixteen_bits<T>;
/// A type whose sum with a 16-bit number is of the 16-bit type, as in LibTorch: the type itself, and integers.
template <class T, class Other>
concept KeepsSixteenBits = is_sixteen_bits<T> &&(std::is_same_v<T, Other> || std::is_integral_v<Other>);
}  // namespace detail

///@{
/// Computed as float and rounded once; of one type, or with an integer. With a float or a double, no rounding follows.
#define D2L_SIXTEEN_BIT_OPERATOR(op)                                                                                \
  template <class T, class Other>                                                                                   \
  requires detail::KeepsSixteenBits<T, Other>                                                                       \
  constexpr T operator op(T a, Other b) noexcept { return T(static_cast<float>(a) op static_cast<float>(b)); }      \
  template <class T, class Other>                                                                                   \
  requires(std::is_integral_v<T> && detail::is_sixteen_bits<Other>) constexpr Other operator op(T a,                \
                                                                                                Other b) noexcept { \
    return Other(static_cast<float>(a) op static_cast<float>(b));                                                   \
  }                                                                                                                 \
  template <class T>                                                                                                \
  requires detail::is_sixteen_bits<T>                                                                               \
  constexpr T& operator op##=(T& a, T b) noexcept { return a = a op b; }
D2L_SIXTEEN_BIT_OPERATOR(+)
D2L_SIXTEEN_BIT_OPERATOR(-)
D2L_SIXTEEN_BIT_OPERATOR(*)
D2L_SIXTEEN_BIT_OPERATOR(/)
#undef D2L_SIXTEEN_BIT_OPERATOR
///@}
/// −a.
constexpr Half operator-(Half a) noexcept { return {static_cast<std::uint16_t>(a.x ^ 0x8000U), Half::from_bits()}; }
/// −a.
constexpr BFloat16 operator-(BFloat16 a) noexcept {
  return {static_cast<std::uint16_t>(a.x ^ 0x8000U), BFloat16::from_bits()};
}

/// Writes the number as a float.
std::ostream& operator<<(std::ostream& out, Half value);
/// Writes the number as a float.
std::ostream& operator<<(std::ostream& out, BFloat16 value);

namespace detail {
/// The limits of a 16-bit type, from the bits of its numbers.
template <class T, std::uint16_t lowest_normal, std::uint16_t largest, std::uint16_t spacing, std::uint16_t infinite>
struct SixteenBitLimits : std::numeric_limits<float> {
  static constexpr T of(std::uint16_t bits) noexcept { return {bits, T::from_bits()}; }
  static constexpr T min() noexcept { return of(lowest_normal); }
  static constexpr T max() noexcept { return of(largest); }
  static constexpr T lowest() noexcept { return -of(largest); }
  static constexpr T epsilon() noexcept { return of(spacing); }
  static constexpr T round_error() noexcept { return T(0.5F); }
  static constexpr T infinity() noexcept { return of(infinite); }
  static constexpr T quiet_NaN() noexcept { return of(static_cast<std::uint16_t>(infinite | (infinite >> 1U))); }
  static constexpr T signaling_NaN() noexcept { return of(static_cast<std::uint16_t>(infinite | 1U)); }
  static constexpr T denorm_min() noexcept { return of(1); }
};
}  // namespace detail

}  // namespace d2l

/// The range and the precision of Half.
template <>
struct std::numeric_limits<d2l::Half> : d2l::detail::SixteenBitLimits<d2l::Half, 0x0400, 0x7BFF, 0x1400, 0x7C00> {
  static constexpr int digits = 11;          ///< bits of precision
  static constexpr int digits10 = 3;         ///< decimal digits that are kept
  static constexpr int max_digits10 = 5;     ///< decimal digits that tell numbers apart
  static constexpr int min_exponent = -13;   ///< of the smallest normal number, 2⁻¹⁴
  static constexpr int min_exponent10 = -4;  ///< the same in decimal
  static constexpr int max_exponent = 16;    ///< of the largest number
  static constexpr int max_exponent10 = 4;   ///< the same in decimal
};
/// The range and the precision of BFloat16.
template <>
struct std::numeric_limits<d2l::BFloat16>
    : d2l::detail::SixteenBitLimits<d2l::BFloat16, 0x0080, 0x7F7F, 0x3C00, 0x7F80> {
  static constexpr int digits = 8;        ///< bits of precision
  static constexpr int digits10 = 2;      ///< decimal digits that are kept
  static constexpr int max_digits10 = 4;  ///< decimal digits that tell numbers apart
};
