// SPDX-License-Identifier: MIT
// CUDA's vector types and their make functions. These are not constexpr, as in CUDA: a constant vector would become
// stores of its elements, and a kernel that stores it would not make one access of its size.
#pragma once

#include <cstdint>

// NOLINTBEGIN: the names are CUDA's.
#define D2L_VECTOR_TYPES(NAME, TYPE, ALIGN2, ALIGN4)                          \
  struct NAME##1 {                                                            \
    TYPE x;                                                                   \
  };                                                                          \
  struct NAME##2 {                                                            \
    alignas(ALIGN2) TYPE x;                                                   \
    TYPE y;                                                                   \
  };                                                                          \
  struct NAME##3 {                                                            \
    TYPE x, y, z;                                                             \
  };                                                                          \
  struct NAME##4 {                                                            \
    alignas(ALIGN4) TYPE x;                                                   \
    TYPE y, z, w;                                                             \
  };                                                                          \
  inline NAME##1 make_##NAME##1(TYPE x) { return {x}; }                       \
  inline NAME##2 make_##NAME##2(TYPE x, TYPE y) { return {x, y}; }            \
  inline NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return {x, y, z}; } \
  inline NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, w}; }
D2L_VECTOR_TYPES(char, signed char, 2, 4)
D2L_VECTOR_TYPES(uchar, unsigned char, 2, 4)
D2L_VECTOR_TYPES(short, short, 4, 8)
D2L_VECTOR_TYPES(ushort, unsigned short, 4, 8)
D2L_VECTOR_TYPES(int, int, 8, 16)
D2L_VECTOR_TYPES(uint, unsigned int, 8, 16)
D2L_VECTOR_TYPES(long, long, 16, 16)
D2L_VECTOR_TYPES(ulong, unsigned long, 16, 16)
D2L_VECTOR_TYPES(longlong, long long, 16, 16)
D2L_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16)
D2L_VECTOR_TYPES(float, float, 8, 16)
D2L_VECTOR_TYPES(double, double, 16, 16)
#undef D2L_VECTOR_TYPES

// Those of CUDA 13 whose name says their alignment.
#define D2L_ALIGNED_VECTOR_TYPE(NAME, TYPE, ALIGN) \
  struct NAME##4_##ALIGN##a {                      \
    alignas(ALIGN) TYPE x;                         \
    TYPE y, z, w;                                  \
  };                                               \
  inline NAME##4_##ALIGN##a make_##NAME##4_##ALIGN##a(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, w}; }
#define D2L_ALIGNED_VECTOR_TYPES(NAME, TYPE) \
  D2L_ALIGNED_VECTOR_TYPE(NAME, TYPE, 16)    \
  D2L_ALIGNED_VECTOR_TYPE(NAME, TYPE, 32)
D2L_ALIGNED_VECTOR_TYPES(long, long)
D2L_ALIGNED_VECTOR_TYPES(ulong, unsigned long)
D2L_ALIGNED_VECTOR_TYPES(longlong, long long)
D2L_ALIGNED_VECTOR_TYPES(ulonglong, unsigned long long)
D2L_ALIGNED_VECTOR_TYPES(double, double)
#undef D2L_ALIGNED_VECTOR_TYPES
#undef D2L_ALIGNED_VECTOR_TYPE

/// The size of a grid or a block.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_size = 1, unsigned int y_size = 1, unsigned int z_size = 1)
      : x(x_size), y(y_size), z(z_size) {}
  constexpr dim3(uint3 sizes) : x(sizes.x), y(sizes.y), z(sizes.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
// NOLINTEND
