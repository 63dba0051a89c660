// SPDX-License-Identifier: MIT
// In place of the toolkit's header: bfloat16. Results are computed in single precision and rounded once.
#pragma once

#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "d2l_emulator/small_floats.h"

// NOLINTBEGIN: the names are CUDA's.
using __nv_bfloat16_raw = d2l::emulator::SmallBits;
using __nv_bfloat16 = d2l::emulator::SmallFloat<8, 7>;
using __nv_bfloat162 = d2l::emulator::SmallPair<__nv_bfloat16>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

D2L_SMALL_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)

inline __nv_bfloat16 __float2bfloat16(float a) { return a; }
inline __nv_bfloat16 __float2bfloat16_rn(float a) { return a; }
inline __nv_bfloat16 __double2bfloat16(double a) { return a; }
inline __nv_bfloat16 __int2bfloat16_rn(int a) { return a; }
inline float __bfloat162float(__nv_bfloat16 a) { return a.wide(); }
inline int __bfloat162int_rn(__nv_bfloat16 a) { return static_cast<int>(nearbyintf(a.wide())); }
inline int __bfloat162int_rz(__nv_bfloat16 a) { return static_cast<int>(truncf(a.wide())); }
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
inline __nv_bfloat162 __float2bfloat162_rn(float x) { return {x, x}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
inline __nv_bfloat162 __float22bfloat162_rn(float2 a) { return {a.x, a.y}; }
inline float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2(a.x.wide(), a.y.wide()); }
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
inline short __bfloat16_as_short(__nv_bfloat16 a) { return static_cast<short>(a.bits); }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.bits; }
inline __nv_bfloat16 __short_as_bfloat16(short a) { return __nv_bfloat16_raw{static_cast<unsigned short>(a)}; }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) { return __nv_bfloat16_raw{a}; }
// NOLINTEND
