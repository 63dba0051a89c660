// SPDX-License-Identifier: MIT
// In place of the toolkit's header: half precision. Results are computed in single precision and rounded once.
#pragma once

#include <nv/target>

#include "cuda_runtime.h"
#include "d2l_emulator/small_functions.h"

// NOLINTBEGIN: the names are CUDA's.
using __half_raw = d2l::emulator::SmallBits;
using __half = d2l::emulator::SmallFloat<5, 10>;
using __half2 = d2l::emulator::SmallPair<__half>;
using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

D2L_SMALL_FUNCTIONS(__half, __half2)
D2L_SMALL_CONVERSIONS(__half, half)

inline __half2 make_half2(__half x, __half y) { return {x, y}; }
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline __half2 __half2half2(__half x) { return {x, x}; }
inline __half2 __float2half2_rn(float x) { return {x, x}; }
inline __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
inline __half2 __float22half2_rn(float2 a) { return {a.x, a.y}; }
inline float2 __half22float2(__half2 a) { return make_float2(a.x.wide(), a.y.wide()); }
inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
inline __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
inline __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
// NOLINTEND
