// SPDX-License-Identifier: MIT
// TODO: repair the three kernels. The functions below them are correct.
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int part = 256;

__global__ void subtract_previous(const float* x, float* result, int n) {
  __shared__ float values[part];
  const int thread = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * part + thread;
  if (i < n) values[thread] = x[i];
  if (i < n) result[i] = thread == 0 ? 0.0f : values[thread] - values[thread - 1];
}

__global__ void subtract_first(const float* x, float* result, int n) {
  __shared__ float first;
  const int thread = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * part + thread;
  if (i < n) {
    const float value = x[i];
    if (thread == 0) first = value;
    __syncthreads();
    result[i] = value - first;
  }
}

__global__ void add_up(const float* x, float* result, int n) {
  __shared__ float sums[part];
  const int thread = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * part + thread;
  sums[thread] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = part / 2; half > 1; half /= 2) {
    __syncthreads();
    if (thread < half) sums[thread] += sums[thread + half];
    __syncthreads();
  }
  __syncthreads();
  if (thread == 0) result[blockIdx.x] = sums[0];
}

static int parts_of(const Tensor& x) {
  return (static_cast<int>(x.numel()) + part - 1) / part;
}

Tensor differences(const Tensor& x) {
  Tensor result = empty(x.sizes(), x.options());
  subtract_previous<<<parts_of(x), part, 0, stream(x.device())>>>(
      x.data_ptr<float>(), result.data_ptr<float>(), static_cast<int>(x.numel()));
  return result;
}

Tensor from_first(const Tensor& x) {
  Tensor result = empty(x.sizes(), x.options());
  subtract_first<<<parts_of(x), part, 0, stream(x.device())>>>(
      x.data_ptr<float>(), result.data_ptr<float>(), static_cast<int>(x.numel()));
  return result;
}

Tensor sums_of_parts(const Tensor& x) {
  Tensor result = empty({parts_of(x)}, x.options());
  add_up<<<parts_of(x), part, 0, stream(x.device())>>>(
      x.data_ptr<float>(), result.data_ptr<float>(), static_cast<int>(x.numel()));
  return result;
}
