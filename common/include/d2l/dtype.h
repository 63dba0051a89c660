// SPDX-License-Identifier: MIT
/// @file
/// The element types of tensors, and the rules by which they mix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace d2l {

/// Element types, from the lowest to the highest in promotion.
enum class ScalarType : std::int8_t {
  Bool,   ///< true or false, one byte
  Byte,   ///< unsigned integers of 8 bits
  Int,    ///< integers of 32 bits
  Long,   ///< integers of 64 bits
  Float,  ///< floating point of 32 bits
  Double  ///< floating point of 64 bits
};
using Dtype = ScalarType;  ///< ScalarType, by LibTorch's other name

///@{
/// An element type by LibTorch's short name.
inline constexpr ScalarType kBool = ScalarType::Bool;
inline constexpr ScalarType kByte = ScalarType::Byte;
inline constexpr ScalarType kUInt8 = ScalarType::Byte;
inline constexpr ScalarType kInt = ScalarType::Int;
inline constexpr ScalarType kInt32 = ScalarType::Int;
inline constexpr ScalarType kLong = ScalarType::Long;
inline constexpr ScalarType kInt64 = ScalarType::Long;
inline constexpr ScalarType kFloat = ScalarType::Float;
inline constexpr ScalarType kFloat32 = ScalarType::Float;
inline constexpr ScalarType kDouble = ScalarType::Double;
inline constexpr ScalarType kFloat64 = ScalarType::Double;
///@}
inline constexpr int scalar_type_count = 6;  ///< how many element types there are

/// Bytes of one element.
std::size_t elementSize(ScalarType type) noexcept;
/// "Float", "Long", … as PyTorch's messages name it.
const char* toString(ScalarType type) noexcept;
/// "torch.float32", … as Python prints it.
std::string repr(ScalarType type);
/// Writes toString().
std::ostream& operator<<(std::ostream& out, ScalarType type);
/// The higher of two types, in which tensors of both are computed with.
ScalarType promoteTypes(ScalarType a, ScalarType b) noexcept;
/// True for Float and Double.
constexpr bool isFloatingType(ScalarType type) noexcept { return type >= ScalarType::Float; }
/// True for Byte, Int and Long, and for Bool when it is to count.
constexpr bool isIntegralType(ScalarType type, bool include_bool) noexcept {
  return type < ScalarType::Float && (include_bool || type != ScalarType::Bool);
}

/// The ScalarType of a C++ type: bool, std::uint8_t, std::int32_t, std::int64_t, float or double.
template <class T>
struct CppTypeToScalarType;
/// Of bool.
template <>
struct CppTypeToScalarType<bool> {
  static constexpr ScalarType value = kBool;  ///< its ScalarType
};
/// Of std::uint8_t.
template <>
struct CppTypeToScalarType<std::uint8_t> {
  static constexpr ScalarType value = kByte;  ///< its ScalarType
};
/// Of std::int32_t.
template <>
struct CppTypeToScalarType<std::int32_t> {
  static constexpr ScalarType value = kInt;  ///< its ScalarType
};
/// Of std::int64_t.
template <>
struct CppTypeToScalarType<std::int64_t> {
  static constexpr ScalarType value = kLong;  ///< its ScalarType
};
/// Of float.
template <>
struct CppTypeToScalarType<float> {
  static constexpr ScalarType value = kFloat;  ///< its ScalarType
};
/// Of double.
template <>
struct CppTypeToScalarType<double> {
  static constexpr ScalarType value = kDouble;  ///< its ScalarType
};

}  // namespace d2l
