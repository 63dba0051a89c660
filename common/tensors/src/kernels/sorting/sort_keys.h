// SPDX-License-Identifier: MIT
// Keys: unsigned integers with the order of the elements, by which a radix sort sorts them.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/element.h"

namespace d2l::backend::kernels {

/// The bits of a number as an integer.
template <class Bits, class T>
D2L_HOST_DEVICE inline Bits bits_of(T value) {
  static_assert(sizeof(Bits) == sizeof(T));
  Bits bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// The key of an element type: `type` holds its lowest `bits` bits.
template <class T>
struct SortKey {
  using type = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  static constexpr int bits = is_boolean<T> ? 1 : static_cast<int>(8 * sizeof(T));

  /// NaN has the largest key; −0 has that of 0.
  D2L_HOST_DEVICE static type of(T value) {
    constexpr type sign = type{1} << (8 * sizeof(type) - 1);
    if constexpr (is_boolean<T>) {
      return comparable(value);
    } else if constexpr (is_floating<T>) {
      if (value != value) return ~type{0};
      const type number = bits_of<type>(value + T{0});
      return (number & sign) != 0 ? ~number : number | sign;
    } else if constexpr (std::is_unsigned_v<T>) {
      return value;
    } else {
      return static_cast<type>(value) ^ sign;
    }
  }
  /// The key for a descending order.
  D2L_HOST_DEVICE static type reversed(type key) { return ~key & (~type{0} >> (8 * sizeof(type) - bits)); }
  D2L_HOST_DEVICE static type of(T value, bool descending) { return descending ? reversed(of(value)) : of(value); }
};

}  // namespace d2l::backend::kernels
