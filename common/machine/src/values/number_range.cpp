// SPDX-License-Identifier: MIT
// The ranges of the element types.
#include "values/number_range.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "base/message.h"

namespace d2l::detail {

namespace {

template <class T>
bool integer_fits(const Scalar& value) {
  using Limits = std::numeric_limits<T>;
  if (value.isFloatingPoint()) {
    const double real = value.toDouble();
    // As a double, the largest int64 becomes 2^63, which is one more; PyTorch compares in the same way.
    return real >= static_cast<double>(Limits::lowest()) && real <= static_cast<double>(Limits::max());
  }
  const auto integer = value.toLong();
  const auto lowest =
      Limits::is_signed ? static_cast<std::int64_t>(Limits::lowest()) : -static_cast<std::int64_t>(Limits::max());
  return integer >= lowest && integer <= static_cast<std::int64_t>(Limits::max());
}

template <class T>
bool real_fits(const Scalar& value) {
  const double real = value.toDouble();
  return !std::isfinite(real) || std::abs(real) <= static_cast<double>(std::numeric_limits<T>::max());
}

/// The names in PyTorch's message, in the order of ScalarType.
constexpr std::array<const char*, scalar_type_count> c_names{"bool",      "uint8_t",       "int",   "int64_t",
                                                             "c10::Half", "c10::BFloat16", "float", "double"};

}  // namespace

bool representable(const Scalar& value, ScalarType type) {
  switch (type) {
    case kByte:
      return integer_fits<std::uint8_t>(value);
    case kInt:
      return integer_fits<std::int32_t>(value);
    case kLong:
      return integer_fits<std::int64_t>(value);
    case kHalf:
      return real_fits<Half>(value);
    case kBFloat16:
      return real_fits<BFloat16>(value);
    case kFloat:
      return real_fits<float>(value);
    default:
      return true;
  }
}

void check_representable(const Scalar& value, ScalarType type, const char* operation) {
  if (representable(value, type)) return;
  fail<ValueError>(
      operation,
      fmt::format("value cannot be converted to type {} without overflow", c_names[static_cast<std::size_t>(type)]), {},
      "use a dtype that can represent it");
}

}  // namespace d2l::detail
