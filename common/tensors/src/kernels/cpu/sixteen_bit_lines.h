// SPDX-License-Identifier: MIT
// Conversions of contiguous elements between 16 bits and float32.
#pragma once

#include <cstdint>

#include "d2l/dtype.h"

namespace d2l::backend::kernels {

///@{
/// to[i] = from[i] for numbers of `type`, kHalf or kBFloat16.
void widen(float* to, const std::uint16_t* from, std::int64_t count, ScalarType type);
void narrow(std::uint16_t* to, const float* from, std::int64_t count, ScalarType type);
///@}
/// One number as float32.
float widened(std::uint16_t bits, ScalarType type);

}  // namespace d2l::backend::kernels
