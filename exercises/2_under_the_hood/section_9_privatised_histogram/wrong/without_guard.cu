// SPDX-License-Identifier: MIT
// Values outside of the bins are used as indices.
// Fails: values: out of bounds
// May fail: placed
// May fail: launches
// May fail: reads
// May fail: barriers
// May fail: atomics
#include <algorithm>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int threads = 256;
constexpr int most_blocks = 32;

__global__ void count(const int* values, int* counts, int n, int bins) {
  extern __shared__ int own[];
  const int thread = static_cast<int>(threadIdx.x);
  for (int bin = thread; bin < bins; bin += threads) own[bin] = 0;
  __syncthreads();
  for (int i = static_cast<int>(blockIdx.x) * threads + thread; i < n; i += static_cast<int>(gridDim.x) * threads) {
    const int value = values[i];
    atomicAdd(&own[value], 1);
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
  const int blocks = std::min(most_blocks, (n + threads - 1) / threads);
  const std::size_t bytes = static_cast<std::size_t>(bins) * sizeof(int);
  count<<<blocks, threads, bytes, stream(values.device())>>>(values.data_ptr<int>(), counts.data_ptr<int>(), n, bins);
  return counts;
}
