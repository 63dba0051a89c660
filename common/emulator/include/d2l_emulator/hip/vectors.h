// SPDX-License-Identifier: MIT
// The operators of HIP's vector types, which CUDA's do not have. They are templates, so that operators of the program
// come first.
#pragma once

#include <type_traits>

#include "d2l_emulator/vector_types.h"

namespace d2l::emulator::hip {

template <class V>
struct VectorElement {};
#define D2L_HIP_VECTOR(NAME, T)     \
  template <>                       \
  struct VectorElement<NAME##1> {   \
    using Type = T;                 \
    static constexpr int count = 1; \
  };                                \
  template <>                       \
  struct VectorElement<NAME##2> {   \
    using Type = T;                 \
    static constexpr int count = 2; \
  };                                \
  template <>                       \
  struct VectorElement<NAME##3> {   \
    using Type = T;                 \
    static constexpr int count = 3; \
  };                                \
  template <>                       \
  struct VectorElement<NAME##4> {   \
    using Type = T;                 \
    static constexpr int count = 4; \
  };
D2L_HIP_VECTOR(char, signed char)
D2L_HIP_VECTOR(uchar, unsigned char)
D2L_HIP_VECTOR(short, short)
D2L_HIP_VECTOR(ushort, unsigned short)
D2L_HIP_VECTOR(int, int)
D2L_HIP_VECTOR(uint, unsigned)
D2L_HIP_VECTOR(long, long)
D2L_HIP_VECTOR(ulong, unsigned long)
D2L_HIP_VECTOR(longlong, long long)
D2L_HIP_VECTOR(ulonglong, unsigned long long)
D2L_HIP_VECTOR(float, float)
D2L_HIP_VECTOR(double, double)
#undef D2L_HIP_VECTOR

template <class V>
concept Vector = requires {
  VectorElement<V>::count;
};
template <class V>
concept IntegerVector = Vector<V> && std::is_integral_v<typename VectorElement<V>::Type>;
template <class S>
concept Scalar = std::is_arithmetic_v<S>;

template <Vector V, class Operation>
V combined(const V& a, const V& b, Operation operation) {
  using T = typename VectorElement<V>::Type;
  V result;
  result.x = static_cast<T>(operation(a.x, b.x));
  if constexpr (VectorElement<V>::count > 1) result.y = static_cast<T>(operation(a.y, b.y));
  if constexpr (VectorElement<V>::count > 2) result.z = static_cast<T>(operation(a.z, b.z));
  if constexpr (VectorElement<V>::count > 3) result.w = static_cast<T>(operation(a.w, b.w));
  return result;
}
template <Vector V, class S>
V filled(S value) {
  const auto element = static_cast<typename VectorElement<V>::Type>(value);
  V zero{};
  return combined(zero, zero, [element](auto, auto) { return element; });
}
template <Vector V>
bool equal(const V& a, const V& b) {
  bool same = a.x == b.x;
  if constexpr (VectorElement<V>::count > 1) same = same && a.y == b.y;
  if constexpr (VectorElement<V>::count > 2) same = same && a.z == b.z;
  if constexpr (VectorElement<V>::count > 3) same = same && a.w == b.w;
  return same;
}

}  // namespace d2l::emulator::hip

#define D2L_HIP_OPERATOR(KIND, SIGN)                                                                                   \
  template <d2l::emulator::hip::KIND V>                                                                                \
  V operator SIGN(const V& a, const V& b) {                                                                            \
    return d2l::emulator::hip::combined(a, b, [](auto x, auto y) { return x SIGN y; });                                \
  }                                                                                                                    \
  template <d2l::emulator::hip::KIND V, d2l::emulator::hip::Scalar S>                                                  \
  V operator SIGN(const V& a, S b) {                                                                                   \
    return d2l::emulator::hip::combined(a, d2l::emulator::hip::filled<V>(b), [](auto x, auto y) { return x SIGN y; }); \
  }                                                                                                                    \
  template <d2l::emulator::hip::KIND V, d2l::emulator::hip::Scalar S>                                                  \
  V operator SIGN(S a, const V& b) {                                                                                   \
    return d2l::emulator::hip::combined(d2l::emulator::hip::filled<V>(a), b, [](auto x, auto y) { return x SIGN y; }); \
  }                                                                                                                    \
  template <d2l::emulator::hip::KIND V, class B>                                                                       \
  requires(std::is_same_v<V, B> || d2l::emulator::hip::Scalar<B>) V& operator SIGN##=(V& a, const B& b) {              \
    if constexpr (std::is_same_v<V, B>) {                                                                              \
      a = d2l::emulator::hip::combined(a, b, [](auto x, auto y) { return x SIGN y; });                                 \
    } else {                                                                                                           \
      a = d2l::emulator::hip::combined(a, d2l::emulator::hip::filled<V>(b), [](auto x, auto y) { return x SIGN y; });  \
    }                                                                                                                  \
    return a;                                                                                                          \
  }
D2L_HIP_OPERATOR(Vector, +)
D2L_HIP_OPERATOR(Vector, -)
D2L_HIP_OPERATOR(Vector, *)
D2L_HIP_OPERATOR(Vector, /)
D2L_HIP_OPERATOR(IntegerVector, %)
D2L_HIP_OPERATOR(IntegerVector, &)
D2L_HIP_OPERATOR(IntegerVector, |)
D2L_HIP_OPERATOR(IntegerVector, ^)
D2L_HIP_OPERATOR(IntegerVector, <<)
D2L_HIP_OPERATOR(IntegerVector, >>)
#undef D2L_HIP_OPERATOR
template <d2l::emulator::hip::Vector V>
V operator-(const V& a) {
  return d2l::emulator::hip::combined(a, a, [](auto x, auto) { return -x; });
}
template <d2l::emulator::hip::IntegerVector V>
V operator~(const V& a) {
  return d2l::emulator::hip::combined(a, a, [](auto x, auto) { return ~x; });
}
template <d2l::emulator::hip::Vector V>
bool operator==(const V& a, const V& b) {
  return d2l::emulator::hip::equal(a, b);
}
template <d2l::emulator::hip::Vector V>
bool operator!=(const V& a, const V& b) {
  return !d2l::emulator::hip::equal(a, b);
}
