// SPDX-License-Identifier: MIT
// Scalar: the conversion to integers, which is defined for every number.
#include "d2l/scalar.h"

#include <cmath>
#include <limits>
#include <ostream>

#include "d2l/repr.h"

namespace d2l {

std::int64_t Scalar::toLong() const {
  if (!isFloatingPoint()) return integer_;
  if (std::isnan(real_)) return 0;
  constexpr double limit = 0x1p63;
  if (real_ >= limit) return std::numeric_limits<std::int64_t>::max();
  if (real_ < -limit) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(real_);
}

std::string repr(const Scalar& value) {
  if (value.isBoolean()) return repr(value.toBool());
  return value.isFloatingPoint() ? repr(value.toDouble()) : repr(static_cast<long long>(value.toLong()));
}

std::ostream& operator<<(std::ostream& out, const Scalar& value) { return out << repr(value); }

}  // namespace d2l
