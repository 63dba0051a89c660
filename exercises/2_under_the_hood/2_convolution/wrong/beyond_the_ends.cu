// SPDX-License-Identifier: MIT
// The guard looks at the output only; the first and the last block load inputs that do not exist.
// Fails: values: out of bounds
// May fail: placed
// May fail: launches
// May fail: reads
// May fail: shared
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
  for (int at = own; at < threads + k - 1; at += threads) {
    const int i = begin + at - k / 2;
    part[at] = x[i];
  }
  if (own < k) weights[own] = w[own];
  __syncthreads();
  if (begin + own >= n) return;
  float sum = 0;
  for (int j = 0; j < k; ++j) sum += weights[j] * part[own + j];
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
