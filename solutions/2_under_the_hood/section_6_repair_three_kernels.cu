// SPDX-License-Identifier: MIT
// A barrier is needed between an access of one thread and an access of another thread
// to the same word, if one of them writes; and nowhere else. In the first kernel that
// is between the write of an element and the read by its neighbour.
//
// The second kernel has the barrier, but inside a condition that is false for some
// threads of the last part. The condition belongs around the loads and stores; all
// threads reach the barrier.
//
// In the tree, a step reads what the step before has written: one barrier before each
// step, 8 for 256 elements. Within a step nothing is in the way: a thread below `half`
// reads its own word and one from `half` on, which no thread writes in this step. After
// the last step, the thread that has written the sum also stores it.
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int part = 256;

__global__ void subtract_previous(const float* x, float* result, int n) {
  __shared__ float values[part];
  const int thread = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * part + thread;
  if (i < n) values[thread] = x[i];
  __syncthreads();
  if (i < n) result[i] = thread == 0 ? 0.0f : values[thread] - values[thread - 1];
}

__global__ void subtract_first(const float* x, float* result, int n) {
  __shared__ float first;
  const int thread = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * part + thread;
  const float value = i < n ? x[i] : 0.0f;
  if (thread == 0) first = value;
  __syncthreads();
  if (i < n) result[i] = value - first;
}

__global__ void add_up(const float* x, float* result, int n) {
  __shared__ float sums[part];
  const int thread = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * part + thread;
  sums[thread] = i < n ? x[i] : 0.0f;
  for (int half = part / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) sums[thread] += sums[thread + half];
  }
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
