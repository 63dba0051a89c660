// SPDX-License-Identifier: MIT
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void convolve_part(const float* x, const float* w, float* result, int n,
                              int k) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // TODO: this reads no neighbours. Load the block's part of x, its neighbours and the
  // weights into shared memory, then add up the products.
  if (i < n && k > 0) result[i] = w[0] * x[i];
}

Tensor convolve(const Tensor& x, const Tensor& w) {
  const int n = static_cast<int>(x.numel());
  const int k = static_cast<int>(w.numel());
  Tensor result = zeros({n}, x.options());
  if (n == 0) return result;
  constexpr int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  convolve_part<<<blocks, threads, 0, stream(x.device())>>>(
      x.data_ptr<float>(), w.data_ptr<float>(), result.data_ptr<float>(), n, k);
  return result;
}
