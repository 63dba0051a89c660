// SPDX-License-Identifier: MIT
// Two pairs of a stream and a buffer take the chunks in turn. The three stages of a
// chunk are in one stream, so they run in their order without an event. The order of
// the stream also protects the buffer: the copy in of a pair's next chunk begins when
// the copy out of its last one is done. Nothing connects the two pairs, so a chunk is
// copied while the kernel of the other pair runs. The input is pinned, so each call
// returns at once, and the host waits only when it needs the results: once per pair,
// after the last chunk is issued.
#include <algorithm>

#include "d2l/stream.h"
#include "exercise.h"
#include "smallest_divisor.cuh"

using namespace d2l;

namespace {

/// A stream and its buffer. Both exist as long as the pair.
struct Pair {
  explicit Pair(int elements) {
    cudaStreamCreate(&stream);
    cudaMalloc(&buffer, elements * sizeof(std::int64_t));
  }
  ~Pair() {
    cudaFree(buffer);
    cudaStreamDestroy(stream);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  cudaStream_t stream = nullptr;
  std::int64_t* buffer = nullptr;
};

}  // namespace

void smallest_divisors(const std::int64_t* input, std::int64_t* output, int count,
                       int chunk, Device device) {
  static_cast<void>(stream(device));  // makes `device` the current one
  Pair pairs[2] = {Pair(chunk), Pair(chunk)};
  int next = 0;
  for (int begin = 0; begin < count; begin += chunk) {
    const Pair& pair = pairs[next];
    next = 1 - next;
    const int size = std::min(chunk, count - begin);
    const size_t bytes = size * sizeof(std::int64_t);
    cudaMemcpyAsync(pair.buffer, input + begin, bytes, cudaMemcpyHostToDevice,
                    pair.stream);
    smallest_divisor<<<(size + 127) / 128, 128, 0, pair.stream>>>(pair.buffer, size);
    cudaMemcpyAsync(output + begin, pair.buffer, bytes, cudaMemcpyDeviceToHost,
                    pair.stream);
  }
  for (const Pair& pair : pairs) cudaStreamSynchronize(pair.stream);
}
