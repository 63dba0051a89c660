// SPDX-License-Identifier: MIT
// What inline PTX becomes: the translator writes calls of these functions. Also the functions that convert addresses
// between the spaces of PTX.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "d2l_emulator/device_math.h"
#include "d2l_emulator/language.h"
#include "d2l_emulator/warp.h"

namespace d2l::emulator::ptx {

/// The number that stands for an address of shared memory in PTX, below 2^32, and the address for such a number.
std::uint64_t to_shared(const void* address);
void* from_shared(std::uint64_t number);

/// The value of a register as another type of its size: the same bits.
template <class To, class From>
To get(const From& value) {
  if constexpr (std::is_pointer_v<From>) {
    return get<To>(reinterpret_cast<std::uint64_t>(value));
  } else if constexpr (!std::is_same_v<To, bool> && sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<From>) {
    return std::bit_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}
template <class To, class From>
void set(To& to, const From& value) {
  to = get<To>(value);
}

inline void* address(std::uint64_t value, std::int64_t offset) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
  void* const base = value < (std::uint64_t{1} << 32) ? from_shared(value) : reinterpret_cast<void*>(value);
  return static_cast<char*>(base) + offset;
}
__attribute__((noinline)) inline void copy(void* to, const void* from, unsigned bytes, unsigned read) {
  const unsigned copied = read < bytes ? read : bytes;
  copy_async(to, from, copied, bytes - copied, __builtin_return_address(0));
}
/// What one instruction loads or stores.
template <class T, int count>
struct alignas(sizeof(T) * count) Vector {
  T values[count];
};

template <class T>
auto wide(T value) {
  using Wide = std::conditional_t<std::is_signed_v<T>, std::conditional_t<sizeof(T) == 2, int, long long>,
                                  std::conditional_t<sizeof(T) == 2, unsigned, unsigned long long>>;
  return static_cast<Wide>(value);
}
/// The upper half of a product.
template <class T>
T high(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    __extension__ using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 64);
  } else {
    return static_cast<T>((wide(a) * wide(b)) >> (8 * sizeof(T)));
  }
}
template <class T>
T carry(T a, T b, unsigned in, unsigned& out) {
  const T sum = a + b;
  const T result = sum + static_cast<T>(in);
  out = sum < a || result < sum ? 1 : 0;
  return result;
}
template <class T>
T borrow(T a, T b, unsigned in, unsigned& out) {
  out = a < b || (in != 0 && a == b) ? 1 : 0;
  return a - b - static_cast<T>(in);
}
template <class T>
T absolute(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::abs(value);
  } else {
    return value < 0 ? static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(value)) : value;
  }
}
template <class T>
T minimum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return std::fmin(a, b);
  return b < a ? b : a;
}
template <class T>
T maximum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return std::fmax(a, b);
  return a < b ? b : a;
}
template <class T>
T saturated(T value) {
  return value > 0 ? (value < 1 ? value : T(1)) : T(0);  // NaN becomes 0
}
template <class T>
T complement(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return !value;
  else
    return static_cast<T>(~value);
}
template <class T>
T shift_left(T value, unsigned count) {
  return count < 8 * sizeof(T) ? static_cast<T>(value << count) : T(0);
}
template <class T>
T shift_right(T value, unsigned count) {
  if (count < 8 * sizeof(T)) return static_cast<T>(value >> count);
  return value < 0 ? static_cast<T>(-1) : T(0);
}
template <class T>
T logic3(T a, T b, T c, T table) {
  T result = 0;
  if (table & 0x01) result |= ~a & ~b & ~c;
  if (table & 0x02) result |= ~a & ~b & c;
  if (table & 0x04) result |= ~a & b & ~c;
  if (table & 0x08) result |= ~a & b & c;
  if (table & 0x10) result |= a & ~b & ~c;
  if (table & 0x20) result |= a & ~b & c;
  if (table & 0x40) result |= a & b & ~c;
  if (table & 0x80) result |= a & b & c;
  return result;
}
/// `length` bits from bit `begin` on; for a signed type the last of them is repeated above.
template <class T>
T extract(T value, unsigned begin, unsigned length) {
  constexpr unsigned bits = 8 * sizeof(T);
  begin &= 0xff, length &= 0xff;
  if (length == 0) return 0;
  const unsigned last = begin + length - 1 < bits ? begin + length - 1 : bits - 1;
  const bool sign = std::is_signed_v<T> && ((static_cast<std::make_unsigned_t<T>>(value) >> last) & 1) != 0;
  std::make_unsigned_t<T> result = 0;
  for (unsigned i = 0; i < bits; ++i) {
    const bool bit =
        i < length && begin + i < bits ? ((static_cast<std::make_unsigned_t<T>>(value) >> (begin + i)) & 1) != 0 : sign;
    if (bit) result |= std::make_unsigned_t<T>{1} << i;
  }
  return static_cast<T>(result);
}
/// `into` with the lowest `length` bits of `value` from bit `begin` on.
template <class T>
T insert(T value, T into, unsigned begin, unsigned length) {
  constexpr unsigned bits = 8 * sizeof(T);
  begin &= 0xff, length &= 0xff;
  for (unsigned i = 0; i < length && begin + i < bits; ++i) {
    const T bit = T{1} << (begin + i);
    into = ((value >> i) & 1) != 0 ? (into | bit) : (into & ~bit);
  }
  return into;
}
template <class T>
unsigned highest_bit(T value) {
  auto bits = static_cast<std::make_unsigned_t<T>>(value);
  if (std::is_signed_v<T> && value < 0) bits = static_cast<std::make_unsigned_t<T>>(~bits);
  return bits == 0 ? ~0U : static_cast<unsigned>(8 * sizeof(T) - 1) - static_cast<unsigned>(std::countl_zero(bits));
}
template <class T>
T reversed(T value) {
  T result = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i) result |= ((value >> i) & 1) << (8 * sizeof(T) - 1 - i);
  return result;
}
/// The lanes of a word, whose type is 1 or 2 bytes, as an int: bytes or halves, with or without sign.
template <class Lane>
int lane_of(unsigned word, unsigned number) {
  return static_cast<Lane>(word >> (8 * sizeof(Lane) * number));
}
/// The instructions of video for several lanes, such as vadd4: each lane of the result is `of` two lanes.
template <class To, class A, class B, class Of>
unsigned lanes(unsigned a, unsigned b, bool saturate, Of of) {
  unsigned result = 0;
  for (unsigned i = 0; i < 4 / sizeof(To); ++i) {
    int value = of(lane_of<A>(a, i), lane_of<B>(b, i));
    if (saturate) value = std::clamp<int>(value, std::numeric_limits<To>::min(), std::numeric_limits<To>::max());
    result |= static_cast<unsigned>(static_cast<std::make_unsigned_t<To>>(value)) << (8 * sizeof(To) * i);
  }
  return result;
}
/// Those with .add: the sum of all lanes and of c.
template <class A, class B, class Of>
unsigned sum_of_lanes(unsigned a, unsigned b, unsigned c, Of of) {
  for (unsigned i = 0; i < 4 / sizeof(A); ++i) c += static_cast<unsigned>(of(lane_of<A>(a, i), lane_of<B>(b, i)));
  return c;
}
/// Numbers that the type cannot hold become its nearest one, as on a card.
template <class To, class From>
To convert(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (!(value == value)) return 0;
    if (value <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (value >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  }
  return static_cast<To>(value);
}

enum class Shuffle { up, down, butterfly, index };
/// shfl.sync: `bounds` has the last lane, and the mask of segments from bit 8 on. `inside` becomes false for a lane
/// that keeps its own value, because its source is outside of its segment.
inline unsigned shuffle(Shuffle kind, unsigned mask, unsigned value, unsigned by, unsigned bounds, bool& inside,
                        Place place = Place::here()) {
  const int own = lane();
  const int segment = static_cast<int>((bounds >> 8) & 31);
  const int first = own & segment;
  const int last = first | (static_cast<int>(bounds & 31) & ~segment);
  const int distance = static_cast<int>(by & 31);
  const int source = kind == Shuffle::up      ? own - distance
                     : kind == Shuffle::down  ? own + distance
                     : kind == Shuffle::index ? first | (distance & ~segment)
                                              : own ^ distance;
  inside = kind == Shuffle::up ? source >= last : source <= last;
  return emulator::shuffle(mask, value, inside ? source : own, place);
}

}  // namespace d2l::emulator::ptx

// NOLINTBEGIN: the names are CUDA's.
inline size_t __cvta_generic_to_shared(const void* address) { return d2l::emulator::ptx::to_shared(address); }
inline void* __cvta_shared_to_generic(size_t number) { return d2l::emulator::ptx::from_shared(number); }
inline size_t __cvta_generic_to_global(const void* address) { return reinterpret_cast<size_t>(address); }
inline void* __cvta_global_to_generic(size_t number) { return reinterpret_cast<void*>(number); }
// NOLINTEND
