// SPDX-License-Identifier: MIT
// Gives each chunk its own part of one large allocation, so that nothing is overwritten. The input of a real pipeline
// does not fit on the card.
// Fails: memory: bytes of device memory at a time
#include <algorithm>

#include "d2l/stream.h"
#include "exercise.h"
#include "smallest_divisor.cuh"

using namespace d2l;

namespace {

/// A stream and its buffer. Both exist as long as the lane.
struct Lane {
  Lane() { cudaStreamCreate(&stream); }
  ~Lane() { cudaStreamDestroy(stream); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  cudaStream_t stream = nullptr;
};

}  // namespace

void smallest_divisors(const std::int64_t* input, std::int64_t* output, int count, int chunk, Device device) {
  static_cast<void>(stream(device));  // makes `device` the current one
  Lane lanes[2];
  std::int64_t* values = nullptr;
  cudaMalloc(&values, count * sizeof(std::int64_t));
  int next = 0;
  for (int begin = 0; begin < count; begin += chunk) {
    const Lane& lane = lanes[next];
    next = 1 - next;
    const int size = std::min(chunk, count - begin);
    const size_t bytes = size * sizeof(std::int64_t);
    cudaMemcpyAsync(values + begin, input + begin, bytes, cudaMemcpyHostToDevice, lane.stream);
    smallest_divisor<<<(size + 127) / 128, 128, 0, lane.stream>>>(values + begin, size);
    cudaMemcpyAsync(output + begin, values + begin, bytes, cudaMemcpyDeviceToHost, lane.stream);
  }
  for (const Lane& lane : lanes) cudaStreamSynchronize(lane.stream);
  cudaFree(values);
}
