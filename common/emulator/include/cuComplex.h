// SPDX-License-Identifier: MIT
// In place of the toolkit's header: complex numbers as pairs.
#pragma once

#include <cmath>

#include "d2l_emulator/vector_types.h"

// NOLINTBEGIN: the names are CUDA's.
using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

#define D2L_COMPLEX(C, T, MAKE, REAL, IMAG, CONJ, ADD, SUB, MUL, DIV, ABS, FMA)     \
  inline T REAL(C a) { return a.x; }                                                \
  inline T IMAG(C a) { return a.y; }                                                \
  inline C MAKE(T x, T y) { return {x, y}; }                                        \
  inline C CONJ(C a) { return {a.x, -a.y}; }                                        \
  inline C ADD(C a, C b) { return {a.x + b.x, a.y + b.y}; }                         \
  inline C SUB(C a, C b) { return {a.x - b.x, a.y - b.y}; }                         \
  inline C MUL(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  inline C DIV(C a, C b) {                                                          \
    const T scale = b.x * b.x + b.y * b.y;                                          \
    return {(a.x * b.x + a.y * b.y) / scale, (a.y * b.x - a.x * b.y) / scale};      \
  }                                                                                 \
  inline T ABS(C a) { return std::hypot(a.x, a.y); }                                \
  inline C FMA(C a, C b, C c) { return ADD(MUL(a, b), c); }
D2L_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, cuCrealf, cuCimagf, cuConjf, cuCaddf, cuCsubf, cuCmulf, cuCdivf,
            cuCabsf, cuCfmaf)
D2L_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, cuCreal, cuCimag, cuConj, cuCadd, cuCsub, cuCmul, cuCdiv,
            cuCabs, cuCfma)
#undef D2L_COMPLEX
inline cuComplex make_cuComplex(float x, float y) { return {x, y}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}
// NOLINTEND
