// SPDX-License-Identifier: MIT
// Each block has a histogram of its own in shared memory, of as many bins as the caller
// wants: the launch gives the size, in bytes. Shared memory is uninitialised, so the
// threads write zeros; there may be more bins than threads, so they do it in steps.
// After a barrier all zeros are there, and the threads count with atomics: shared
// memory is near, and only the threads of the block compete. After a second barrier all
// values are counted, and each bin goes to the result with one atomic on global memory,
// or with none if the block has found no value for it.
#include <algorithm>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int threads = 256;
constexpr int max_blocks = 32;

__global__ void count(const int* values, int* counts, int n, int bins) {
  extern __shared__ int own[];
  const int thread = static_cast<int>(threadIdx.x);
  for (int bin = thread; bin < bins; bin += threads) own[bin] = 0;
  __syncthreads();
  for (int i = static_cast<int>(blockIdx.x) * threads + thread; i < n;
       i += static_cast<int>(gridDim.x) * threads) {
    const int value = values[i];
    if (value >= 0 && value < bins) atomicAdd(&own[value], 1);
  }
  __syncthreads();
  for (int bin = thread; bin < bins; bin += threads) {
    if (own[bin] > 0) atomicAdd(&counts[bin], own[bin]);
  }
}

Tensor histogram(const Tensor& values, int bins) {
  Tensor counts = zeros({bins}, values.options());
  const int n = static_cast<int>(values.numel());
  if (n == 0) return counts;
  const int blocks = std::min(max_blocks, (n + threads - 1) / threads);
  const std::size_t bytes = static_cast<std::size_t>(bins) * sizeof(int);
  count<<<blocks, threads, bytes, stream(values.device())>>>(
      values.data_ptr<int>(), counts.data_ptr<int>(), n, bins);
  return counts;
}
