// SPDX-License-Identifier: MIT
// Loops over contiguous numbers of 16 bits, which compute in float32.
#pragma once

#include <cstdint>

#include "d2l/dtype.h"
#include "kernels/operations.h"

namespace d2l::backend::kernels {

///@{
/// to[i] = from[i] for numbers of `type`, kHalf or kBFloat16.
void widen(float* to, const std::uint16_t* from, std::int64_t count, ScalarType type);
void narrow(std::uint16_t* to, const float* from, std::int64_t count, ScalarType type);
///@}
/// One number as float32.
float widened(std::uint16_t bits, ScalarType type);
/// to[i] = a[i] + b[i], or −, × or /, rounded once. Returns false, without any work, for another operation.
bool combine(Operation operation, std::uint16_t* to, const std::uint16_t* a, const std::uint16_t* b, std::int64_t count,
             ScalarType type);
/// The sum of the numbers; the same on every processor.
double sum(const std::uint16_t* from, std::int64_t count, ScalarType type);

}  // namespace d2l::backend::kernels
