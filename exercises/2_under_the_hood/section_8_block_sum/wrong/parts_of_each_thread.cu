// SPDX-License-Identifier: MIT
// Each thread adds neighbouring elements, as on a CPU: the lanes of a warp read far apart, so the bytes are the same,
// but each request touches many sectors.
// Fails: reads: sectors loaded
#include <algorithm>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int threads = 256;
constexpr int most_blocks = 64;
constexpr int lanes = 32;

__device__ float sum_of_warp(float value) {
  for (int offset = lanes / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void add_up(const float* x, float* sum, int n) {
  __shared__ float sums[threads / lanes];
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % lanes;
  float value = 0;
  const int each = (n + static_cast<int>(gridDim.x) * threads - 1) / (static_cast<int>(gridDim.x) * threads);
  const int begin = (static_cast<int>(blockIdx.x) * threads + thread) * each;
  for (int i = begin; i < begin + each && i < n; ++i) value += x[i];
  value = sum_of_warp(value);
  if (lane == 0) sums[thread / lanes] = value;
  __syncthreads();
  if (thread >= lanes) return;
  value = sum_of_warp(lane < threads / lanes ? sums[lane] : 0.0f);
  if (lane == 0) atomicAdd(sum, value);
}

Tensor sum_of(const Tensor& x) {
  Tensor sum = zeros({}, x.options());
  const int n = static_cast<int>(x.numel());
  if (n == 0) return sum;
  const int blocks = std::min(most_blocks, (n + threads - 1) / threads);
  add_up<<<blocks, threads, 0, stream(x.device())>>>(x.data_ptr<float>(), sum.data_ptr<float>(), n);
  return sum;
}
