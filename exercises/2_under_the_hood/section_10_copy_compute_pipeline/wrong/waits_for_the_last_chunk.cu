// SPDX-License-Identifier: MIT
// Waits for the stream of the last chunk only: what was issued last is done last, but only within a stream. The buffers
// are freed in the order of their streams, so nothing waits for the other one.
// Fails: order: off by
// May fail: values
#include <algorithm>

#include "d2l/stream.h"
#include "exercise.h"
#include "smallest_divisor.cuh"

using namespace d2l;

namespace {

/// A stream and its buffer. Both exist as long as the lane.
struct Lane {
  explicit Lane(int elements) {
    cudaStreamCreate(&stream);
    cudaMallocAsync(&buffer, elements * sizeof(std::int64_t), stream);
  }
  ~Lane() {
    cudaFreeAsync(buffer, stream);
    cudaStreamDestroy(stream);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  cudaStream_t stream = nullptr;
  std::int64_t* buffer = nullptr;
};

}  // namespace

void smallest_divisors(const std::int64_t* input, std::int64_t* output, int count, int chunk, Device device) {
  static_cast<void>(stream(device));  // makes `device` the current one
  Lane lanes[2] = {Lane(chunk), Lane(chunk)};
  int next = 0;
  for (int begin = 0; begin < count; begin += chunk) {
    const Lane& lane = lanes[next];
    next = 1 - next;
    const int size = std::min(chunk, count - begin);
    const size_t bytes = size * sizeof(std::int64_t);
    cudaMemcpyAsync(lane.buffer, input + begin, bytes, cudaMemcpyHostToDevice, lane.stream);
    smallest_divisor<<<(size + 127) / 128, 128, 0, lane.stream>>>(lane.buffer, size);
    cudaMemcpyAsync(output + begin, lane.buffer, bytes, cudaMemcpyDeviceToHost, lane.stream);
  }
  cudaStreamSynchronize(lanes[1 - next].stream);
}
