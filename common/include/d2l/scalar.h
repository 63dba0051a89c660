// SPDX-License-Identifier: MIT
/// @file
/// Scalar: a number of any category, as an operand beside a tensor or as the value of item().
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
  /// A number of the category of T.
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

  /// kBool, kLong or kDouble.
  [[nodiscard]] ScalarType type() const noexcept { return type_; }
  /// Whether it is a bool.
  [[nodiscard]] bool isBoolean() const noexcept { return type_ == kBool; }
  /// Whether it is an integer, or a bool when that is to count.
  [[nodiscard]] bool isIntegral(bool include_bool) const noexcept {
    return type_ == kLong || (include_bool && isBoolean());
  }
  /// Whether it is a floating-point number.
  [[nodiscard]] bool isFloatingPoint() const noexcept { return type_ == kDouble; }

  /// The number as T, as static_cast does it; a floating-point value that T cannot hold is clamped, not undefined.
  template <class T>
  [[nodiscard]] T to() const {
    if constexpr (std::same_as<T, bool>) {
      return isFloatingPoint() ? real_ != 0 : integer_ != 0;
    } else if constexpr (std::is_floating_point_v<T>) {
      return isFloatingPoint() ? static_cast<T>(real_) : static_cast<T>(integer_);
    } else {
      return static_cast<T>(toLong());
    }
  }
  ///@{
  /// to() of one type; nan is the integer 0, and true.
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
