// SPDX-License-Identifier: MIT
// Two lanes, each a stream and a buffer, take the chunks in turn. The three stages of a
// chunk are in one stream, so they run in their order without an event. The order of
// the stream also protects the buffer: the copy in of a lane's next chunk begins when
// the copy out of its last one is done. Nothing connects the two lanes, so a chunk is
// copied while the kernel of the other lane runs. The input is pinned, so each call
// returns at once, and the host waits only when it needs the results: once a lane,
// after the last chunk is issued.
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
    cudaMalloc(&buffer, elements * sizeof(std::int64_t));
  }
  ~Lane() {
    cudaFree(buffer);
    cudaStreamDestroy(stream);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  cudaStream_t stream = nullptr;
  std::int64_t* buffer = nullptr;
};

}  // namespace

void smallest_divisors(const std::int64_t* input, std::int64_t* output, int count,
                       int chunk, Device device) {
  static_cast<void>(stream(device));  // makes `device` the current one
  Lane lanes[2] = {Lane(chunk), Lane(chunk)};
  int next = 0;
  for (int begin = 0; begin < count; begin += chunk) {
    const Lane& lane = lanes[next];
    next = 1 - next;
    const int size = std::min(chunk, count - begin);
    const size_t bytes = size * sizeof(std::int64_t);
    cudaMemcpyAsync(lane.buffer, input + begin, bytes, cudaMemcpyHostToDevice,
                    lane.stream);
    smallest_divisor<<<(size + 127) / 128, 128, 0, lane.stream>>>(lane.buffer, size);
    cudaMemcpyAsync(output + begin, lane.buffer, bytes, cudaMemcpyDeviceToHost,
                    lane.stream);
  }
  for (const Lane& lane : lanes) cudaStreamSynchronize(lane.stream);
}
