// SPDX-License-Identifier: MIT
// The element types of tensors, and the rules by which they mix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace d2l {

/// Element types, from the lowest to the highest in promotion.
enum class ScalarType : std::int8_t { Bool, Byte, Int, Long, Float, Double };
using Dtype = ScalarType;

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
inline constexpr int scalar_type_count = 6;

/// Bytes of one element.
std::size_t elementSize(ScalarType type) noexcept;
/// "Float", "Long", … as PyTorch's messages name it.
const char* toString(ScalarType type) noexcept;
/// "torch.float32", … as Python prints it.
std::string repr(ScalarType type);
std::ostream& operator<<(std::ostream& out, ScalarType type);
/// The type that two tensors of one category of dimensions share.
ScalarType promoteTypes(ScalarType a, ScalarType b) noexcept;
constexpr bool isFloatingType(ScalarType type) noexcept { return type >= ScalarType::Float; }
constexpr bool isIntegralType(ScalarType type, bool include_bool) noexcept {
  return type < ScalarType::Float && (include_bool || type != ScalarType::Bool);
}

/// The ScalarType of a C++ type.
template <class T>
struct CppTypeToScalarType;
template <>
struct CppTypeToScalarType<bool> {
  static constexpr ScalarType value = kBool;
};
template <>
struct CppTypeToScalarType<std::uint8_t> {
  static constexpr ScalarType value = kByte;
};
template <>
struct CppTypeToScalarType<std::int32_t> {
  static constexpr ScalarType value = kInt;
};
template <>
struct CppTypeToScalarType<std::int64_t> {
  static constexpr ScalarType value = kLong;
};
template <>
struct CppTypeToScalarType<float> {
  static constexpr ScalarType value = kFloat;
};
template <>
struct CppTypeToScalarType<double> {
  static constexpr ScalarType value = kDouble;
};

}  // namespace d2l
