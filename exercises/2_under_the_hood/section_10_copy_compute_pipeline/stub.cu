// SPDX-License-Identifier: MIT
#include <algorithm>

#include "d2l/stream.h"
#include "exercise.h"
#include "smallest_divisor.cuh"

using namespace d2l;

void smallest_divisors(const std::int64_t* input, std::int64_t* output, int count,
                       int chunk, Device device) {
  cudaSetDevice(device.index());
  // TODO: this computes the first chunk only, and one part of the card works at a time.
  // Let two streams take all chunks in turn, each stream with a buffer of its own.
  const int size = std::min(chunk, count);
  if (size == 0) return;
  std::int64_t* buffer = nullptr;
  cudaMalloc(&buffer, size * sizeof(std::int64_t));
  cudaMemcpy(buffer, input, size * sizeof(std::int64_t), cudaMemcpyHostToDevice);
  smallest_divisor<<<(size + 127) / 128, 128>>>(buffer, size);
  cudaMemcpy(output, buffer, size * sizeof(std::int64_t), cudaMemcpyDeviceToHost);
  cudaFree(buffer);
}
