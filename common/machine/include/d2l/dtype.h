// SPDX-License-Identifier: MIT
/// @file
/// The element types of tensors, and type promotion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <type_traits>

#include "d2l/half.h"

namespace d2l {

/// Element types, in the order of promotion from lowest to highest, but that Half and BFloat16 promote to Float.
enum class ScalarType : std::int8_t {
  Bool,      ///< true or false, one byte
  Byte,      ///< unsigned integers of 8 bits
  Int,       ///< integers of 32 bits
  Long,      ///< integers of 64 bits
  Half,      ///< floating point of 16 bits, with 11 bits of precision
  BFloat16,  ///< floating point of 16 bits, with the range of Float
  Float,     ///< floating point of 32 bits
  Double     ///< floating point of 64 bits
};
using Dtype = ScalarType;  ///< LibTorch's other name for ScalarType

///@{
/// LibTorch's short name for an element type.
inline constexpr ScalarType kBool = ScalarType::Bool;
inline constexpr ScalarType kByte = ScalarType::Byte;
inline constexpr ScalarType kUInt8 = ScalarType::Byte;
inline constexpr ScalarType kInt = ScalarType::Int;
inline constexpr ScalarType kInt32 = ScalarType::Int;
inline constexpr ScalarType kLong = ScalarType::Long;
inline constexpr ScalarType kInt64 = ScalarType::Long;
inline constexpr ScalarType kHalf = ScalarType::Half;
inline constexpr ScalarType kFloat16 = ScalarType::Half;
inline constexpr ScalarType kBFloat16 = ScalarType::BFloat16;
inline constexpr ScalarType kFloat = ScalarType::Float;
inline constexpr ScalarType kFloat32 = ScalarType::Float;
inline constexpr ScalarType kDouble = ScalarType::Double;
inline constexpr ScalarType kFloat64 = ScalarType::Double;
///@}
inline constexpr int scalar_type_count = 8;  ///< the number of element types

/// The size of one element in bytes.
std::size_t elementSize(ScalarType type) noexcept;
/// The name in PyTorch's messages: "Float", "Long", …
const char* toString(ScalarType type) noexcept;
/// Python's form: "torch.float32", …
std::string repr(ScalarType type);
/// Writes toString().
std::ostream& operator<<(std::ostream& out, ScalarType type);
/// The type in which operands of these two types are computed: the higher one, and Float for Half with BFloat16.
ScalarType promoteTypes(ScalarType a, ScalarType b) noexcept;
/// True for Half, BFloat16, Float and Double.
constexpr bool isFloatingType(ScalarType type) noexcept { return type >= ScalarType::Half; }
/// True for Half and BFloat16.
constexpr bool isReducedFloatingType(ScalarType type) noexcept {
  return type == ScalarType::Half || type == ScalarType::BFloat16;
}
/// True for Byte, Int and Long, and for Bool if `include_bool`.
constexpr bool isIntegralType(ScalarType type, bool include_bool) noexcept {
  return type < ScalarType::Half && (include_bool || type != ScalarType::Bool);
}

/// `value` is the ScalarType of a C++ type: bool, std::uint8_t, std::int32_t, std::int64_t, Half, BFloat16, float or
/// double.
template <class T>
struct CppTypeToScalarType;
/// Of bool.
template <>
struct CppTypeToScalarType<bool> : std::integral_constant<ScalarType, kBool> {};
/// Of std::uint8_t.
template <>
struct CppTypeToScalarType<std::uint8_t> : std::integral_constant<ScalarType, kByte> {};
/// Of std::int32_t.
template <>
struct CppTypeToScalarType<std::int32_t> : std::integral_constant<ScalarType, kInt> {};
/// Of std::int64_t.
template <>
struct CppTypeToScalarType<std::int64_t> : std::integral_constant<ScalarType, kLong> {};
/// Of Half.
template <>
struct CppTypeToScalarType<Half> : std::integral_constant<ScalarType, kHalf> {};
/// Of BFloat16.
template <>
struct CppTypeToScalarType<BFloat16> : std::integral_constant<ScalarType, kBFloat16> {};
/// Of float.
template <>
struct CppTypeToScalarType<float> : std::integral_constant<ScalarType, kFloat> {};
/// Of double.
template <>
struct CppTypeToScalarType<double> : std::integral_constant<ScalarType, kDouble> {};

}  // namespace d2l
