// SPDX-License-Identifier: MIT
// The inputs are in shared memory, and the weights are not: each warp reads each of them again.
// Fails: reads: bytes loaded from global memory
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int threads = 256;
constexpr int most_weights = 63;

__global__ void convolve_part(const float* x, const float* w, float* result, int n, int k) {
  __shared__ float part[threads + most_weights - 1];
  const int own = static_cast<int>(threadIdx.x);
  const int begin = static_cast<int>(blockIdx.x) * threads;
  for (int at = own; at < threads + k - 1; at += threads) {
    const int i = begin + at - k / 2;
    part[at] = i >= 0 && i < n ? x[i] : 0.0f;
  }
  __syncthreads();
  if (begin + own >= n) return;
  float sum = 0;
  for (int j = 0; j < k; ++j) sum += w[j] * part[own + j];
  result[begin + own] = sum;
}

Tensor convolve(const Tensor& x, const Tensor& w) {
  const int n = static_cast<int>(x.numel());
  Tensor result = empty({n}, x.options());
  if (n == 0) return result;  // a launch of no blocks is an error
  convolve_part<<<(n + threads - 1) / threads, threads, 0, stream(x.device())>>>(
      x.data_ptr<float>(), w.data_ptr<float>(), result.data_ptr<float>(), n, static_cast<int>(w.numel()));
  return result;
}
