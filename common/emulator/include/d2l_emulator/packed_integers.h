// SPDX-License-Identifier: MIT
// CUDA's functions on two 16-bit or four 8-bit integers in one word, and smaller integer functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "d2l_emulator/device_math.h"

namespace d2l::emulator {

/// Applies `function` to each part of type T of two words.
template <class T, class Function>
unsigned by_part(unsigned x, unsigned y, Function function) {
  constexpr unsigned bits = 8 * sizeof(T);
  constexpr unsigned mask = (1U << bits) - 1U;
  unsigned result = 0;
  for (unsigned shift = 0; shift < 32; shift += bits) {
    // NOLINTBEGIN(bugprone-signed-char-misuse): the sign is wanted
    const int a = static_cast<T>((x >> shift) & mask);
    const int b = static_cast<T>((y >> shift) & mask);
    // NOLINTEND(bugprone-signed-char-misuse)
    result |= (static_cast<unsigned>(function(a, b)) & mask) << shift;
  }
  return result;
}

/// The sum of `function` over all parts.
template <class T, class Function>
unsigned sum_by_part(unsigned x, unsigned y, Function function) {
  constexpr unsigned bits = 8 * sizeof(T);
  unsigned sum = 0;
  for (unsigned shift = 0; shift < 32; shift += bits) {
    sum += static_cast<unsigned>(function(static_cast<T>(x >> shift), static_cast<T>(y >> shift)));
  }
  return sum;
}

}  // namespace d2l::emulator

// NOLINTBEGIN: the names are CUDA's.
#define D2L_PACKED(NAME, TYPE, EXPRESSION)                                                     \
  inline unsigned int NAME(unsigned int x, unsigned int y) {                                   \
    return d2l::emulator::by_part<TYPE>(x, y, [](int a, int b) -> int { return EXPRESSION; }); \
  }
#define D2L_PACKED_BOTH(COUNT, SIGNED, UNSIGNED)                                                     \
  D2L_PACKED(__vadd##COUNT, UNSIGNED, a + b)                                                         \
  D2L_PACKED(__vsub##COUNT, UNSIGNED, a - b)                                                         \
  D2L_PACKED(__vaddss##COUNT, SIGNED, std::clamp<int>(a + b, lowest##COUNT, highest##COUNT))         \
  D2L_PACKED(__vsubss##COUNT, SIGNED, std::clamp<int>(a - b, lowest##COUNT, highest##COUNT))         \
  D2L_PACKED(__vaddus##COUNT, UNSIGNED, std::min<int>(a + b, 2 * highest##COUNT + 1))                \
  D2L_PACKED(__vsubus##COUNT, UNSIGNED, std::max<int>(a - b, 0))                                     \
  D2L_PACKED(__vavgu##COUNT, UNSIGNED, (a + b + 1) >> 1)                                             \
  D2L_PACKED(__vavgs##COUNT, SIGNED, (a + b + (a + b >= 0 ? 1 : 0)) >> 1)                            \
  D2L_PACKED(__vhaddu##COUNT, UNSIGNED, (a + b) >> 1)                                                \
  D2L_PACKED(__vabsdiffu##COUNT, UNSIGNED, std::abs(a - b))                                          \
  D2L_PACKED(__vabsdiffs##COUNT, SIGNED, std::abs(a - b))                                            \
  D2L_PACKED(__vmaxs##COUNT, SIGNED, std::max(a, b))                                                 \
  D2L_PACKED(__vmins##COUNT, SIGNED, std::min(a, b))                                                 \
  D2L_PACKED(__vmaxu##COUNT, UNSIGNED, std::max(a, b))                                               \
  D2L_PACKED(__vminu##COUNT, UNSIGNED, std::min(a, b))                                               \
  D2L_PACKED_COMPARISON(eq##COUNT, UNSIGNED, a == b)                                                 \
  D2L_PACKED_COMPARISON(ne##COUNT, UNSIGNED, a != b)                                                 \
  D2L_PACKED_COMPARISON(gtu##COUNT, UNSIGNED, a > b)                                                 \
  D2L_PACKED_COMPARISON(geu##COUNT, UNSIGNED, a >= b)                                                \
  D2L_PACKED_COMPARISON(ltu##COUNT, UNSIGNED, a < b)                                                 \
  D2L_PACKED_COMPARISON(leu##COUNT, UNSIGNED, a <= b)                                                \
  D2L_PACKED_COMPARISON(gts##COUNT, SIGNED, a > b)                                                   \
  D2L_PACKED_COMPARISON(ges##COUNT, SIGNED, a >= b)                                                  \
  D2L_PACKED_COMPARISON(lts##COUNT, SIGNED, a < b)                                                   \
  D2L_PACKED_COMPARISON(les##COUNT, SIGNED, a <= b)                                                  \
  inline unsigned int __vabs##COUNT(unsigned int x) {                                                \
    return d2l::emulator::by_part<SIGNED>(x, 0, [](int a, int) { return std::abs(a); });             \
  }                                                                                                  \
  inline unsigned int __vneg##COUNT(unsigned int x) { return __vsub##COUNT(0, x); }                  \
  inline unsigned int __vsadu##COUNT(unsigned int x, unsigned int y) {                               \
    return d2l::emulator::sum_by_part<UNSIGNED>(x, y, [](int a, int b) { return std::abs(a - b); }); \
  }                                                                                                  \
  inline unsigned int __vsads##COUNT(unsigned int x, unsigned int y) {                               \
    return d2l::emulator::sum_by_part<SIGNED>(x, y, [](int a, int b) { return std::abs(a - b); });   \
  }
#define D2L_PACKED_COMPARISON(NAME, TYPE, EXPRESSION)   \
  D2L_PACKED(__vcmp##NAME, TYPE, (EXPRESSION) ? -1 : 0) \
  D2L_PACKED(__vset##NAME, TYPE, (EXPRESSION) ? 1 : 0)
#define lowest2 (-32768)
#define highest2 32767
#define lowest4 (-128)
#define highest4 127
D2L_PACKED_BOTH(2, std::int16_t, std::uint16_t)
D2L_PACKED_BOTH(4, std::int8_t, std::uint8_t)
#undef lowest2
#undef highest2
#undef lowest4
#undef highest4
#undef D2L_PACKED_COMPARISON
#undef D2L_PACKED_BOTH
#undef D2L_PACKED

inline unsigned int umin(unsigned int a, unsigned int b) { return b < a ? b : a; }
inline unsigned int umax(unsigned int a, unsigned int b) { return a < b ? b : a; }
inline long long llmin(long long a, long long b) { return b < a ? b : a; }
inline long long llmax(long long a, long long b) { return a < b ? b : a; }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
inline int __vimax3_s32(int a, int b, int c) { return std::max({a, b, c}); }
inline int __vimin3_s32(int a, int b, int c) { return std::min({a, b, c}); }
inline unsigned int __vimax3_u32(unsigned int a, unsigned int b, unsigned int c) { return std::max({a, b, c}); }
inline unsigned int __vimin3_u32(unsigned int a, unsigned int b, unsigned int c) { return std::min({a, b, c}); }
inline int __viaddmax_s32(int a, int b, int c) { return std::max(a + b, c); }
inline int __viaddmin_s32(int a, int b, int c) { return std::min(a + b, c); }
inline unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((std::uint64_t{x} + y) >> 1U);
}
inline unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((std::uint64_t{x} + y + 1) >> 1U);
}
inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
inline unsigned int __dp4a(unsigned int x, unsigned int y, unsigned int sum) {
  for (unsigned i = 0; i < 32; i += 8) sum += ((x >> i) & 255U) * ((y >> i) & 255U);
  return sum;
}
inline int __dp2a_lo(int x, int y, int sum) {
  for (int i = 0; i < 2; ++i) sum += static_cast<std::int16_t>(x >> (16 * i)) * static_cast<std::int8_t>(y >> (8 * i));
  return sum;
}
inline int __dp2a_hi(int x, int y, int sum) { return __dp2a_lo(x, y >> 16, sum); }
/// The place of the set bit that is `offset` set bits from bit `base`, itself counted; ~0 if there is none.
inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  if (offset == 0) return ((mask >> base) & 1U) != 0 ? base : ~0U;
  const int step = offset > 0 ? 1 : -1;
  int left = std::abs(offset);
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step) {
    if (((mask >> i) & 1U) != 0 && --left == 0) return static_cast<unsigned int>(i);
  }
  return ~0U;
}
// NOLINTEND
