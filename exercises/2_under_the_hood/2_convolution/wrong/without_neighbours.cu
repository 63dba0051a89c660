// SPDX-License-Identifier: MIT
// Each thread loads one element, its own; the neighbours that belong to another block count as 0.
// Fails: values: off by
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int threads = 256;
constexpr int most_weights = 63;

__global__ void convolve_part(const float* x, const float* w, float* result, int n, int k) {
  __shared__ float part[threads + most_weights - 1];
  __shared__ float weights[most_weights];
  const int own = static_cast<int>(threadIdx.x);
  const int begin = static_cast<int>(blockIdx.x) * threads;
  part[own] = begin + own < n ? x[begin + own] : 0.0f;
  if (own < k) weights[own] = w[own];
  __syncthreads();
  if (begin + own >= n) return;
  float sum = 0;
  for (int j = 0; j < k; ++j) {
    const int at = own + j - k / 2;
    if (at >= 0 && at < threads) sum += weights[j] * part[at];
  }
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
