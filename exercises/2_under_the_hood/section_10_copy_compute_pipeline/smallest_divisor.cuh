// SPDX-License-Identifier: MIT
// The kernel of the pipeline: given, do not change it.
#pragma once

#include <cstdint>

/// Replaces each of `count` values, which are at least 2, by its smallest divisor
/// above 1. One thread per value.
__global__ void smallest_divisor(std::int64_t* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const std::int64_t value = values[i];
  std::int64_t divisor = 2;
  while (divisor <= value / divisor && value % divisor != 0)
    divisor += divisor == 2 ? 1 : 2;
  values[i] = value % divisor == 0 ? divisor : value;
}
