// SPDX-License-Identifier: MIT
/// @file
/// Scalar: a bool, integer or floating-point number, as an operand of a tensor or the result of item().
#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <type_traits>

#include "d2l/dtype.h"

namespace d2l {

/// A bool, an integer or a floating-point number.
class Scalar {
 public:
  /// The integer 0.
  Scalar() = default;
  /// Converts a C++ number; the type becomes kBool, kLong or kDouble.
  template <class T>
  requires std::is_arithmetic_v<T> Scalar(T value) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::same_as<T, bool>) {
      type_ = kBool;
      integer_ = value ? 1 : 0;
    } else if constexpr (std::is_integral_v<T>) {
      type_ = kLong;
      integer_ = static_cast<std::int64_t>(value);
    } else {
      type_ = kDouble;
      real_ = static_cast<double>(value);
    }
  }
  ///@{
  /// Converts a number of 16 bits; the type becomes kDouble.
  Scalar(Half value) : Scalar(static_cast<float>(value)) {}      // NOLINT(google-explicit-constructor)
  Scalar(BFloat16 value) : Scalar(static_cast<float>(value)) {}  // NOLINT(google-explicit-constructor)
  ///@}

  /// kBool, kLong or kDouble.
  [[nodiscard]] ScalarType type() const noexcept { return type_; }
  /// True for a bool.
  [[nodiscard]] bool isBoolean() const noexcept { return type_ == kBool; }
  /// True for an integer, and for a bool if `include_bool`.
  [[nodiscard]] bool isIntegral(bool include_bool) const noexcept {
    return type_ == kLong || (include_bool && isBoolean());
  }
  /// True for a floating-point number.
  [[nodiscard]] bool isFloatingPoint() const noexcept { return type_ == kDouble; }

  /// The number converted as by static_cast, except that a floating-point value out of T's range is clamped.
  template <class T>
  [[nodiscard]] T to() const {
    if constexpr (std::same_as<T, bool>) {
      return isFloatingPoint() ? real_ != 0 : integer_ != 0;
    } else if constexpr (std::is_floating_point_v<T>) {
      return isFloatingPoint() ? static_cast<T>(real_) : static_cast<T>(integer_);
    } else if constexpr (detail::is_sixteen_bits<T>) {
      return T(to<float>());
    } else {
      return static_cast<T>(toLong());
    }
  }
  ///@{
  /// to() of one type; nan converts to the integer 0 and to true.
  [[nodiscard]] double toDouble() const { return to<double>(); }
  [[nodiscard]] float toFloat() const { return to<float>(); }
  [[nodiscard]] std::int64_t toLong() const;
  [[nodiscard]] int toInt() const { return static_cast<int>(toLong()); }
  [[nodiscard]] bool toBool() const { return to<bool>(); }
  ///@}

 private:
  ScalarType type_ = kLong;
  std::int64_t integer_ = 0;
  double real_ = 0;
};

/// Python's form: True, 3, 0.5.
std::string repr(const Scalar& value);
/// Writes repr().
std::ostream& operator<<(std::ostream& out, const Scalar& value);

}  // namespace d2l
