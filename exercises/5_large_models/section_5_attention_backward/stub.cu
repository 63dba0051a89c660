// SPDX-License-Identifier: MIT
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int width = 32;  // columns
constexpr int warps = 8;   // of a block

/// D: one warp for each query.
__global__ void dot_of_rows(const float* dout, const float* out, float* delta, int n) {
  const int query = blockIdx.x * warps + threadIdx.y;
  if (query >= n) return;
  const int at = query * width + threadIdx.x;
  float sum = dout[at] * out[at];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x == 0) delta[query] = sum;
}

// TODO: kernels that go over tiles of the other matrices.

Gradients attention_backward(const Tensor& dout, const Tensor& q, const Tensor& k,
                             const Tensor& v, const Tensor& out, const Tensor& lse,
                             bool /*causal*/) {
  const int n = static_cast<int>(q.size(0));
  Gradients result{zeros_like(q), zeros_like(k), zeros_like(v)};
  if (n == 0) return result;
  Tensor delta = empty_like(lse);
  dot_of_rows<<<(n + warps - 1) / warps, dim3(width, warps), 0, stream(q.device())>>>(
      dout.data_ptr<float>(), out.data_ptr<float>(), delta.data_ptr<float>(), n);
  // TODO: launch them.
  return result;
}
