// SPDX-License-Identifier: MIT
// The book's three steps, each right: but the scores and the weights go through global memory.
// Fails: launches: launches
// Fails: reads: bytes
#include <cmath>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

namespace {

constexpr int width = 32;

__global__ void compute_scores(const float* q, const float* k, float* scores, int m) {
  const int key = blockIdx.x * blockDim.x + threadIdx.x;
  if (key >= m) return;
  float score = 0;
  for (int c = 0; c < width; ++c) score += q[blockIdx.y * width + c] * k[key * width + c];
  scores[blockIdx.y * m + key] = score * rsqrtf(width);
}

__global__ void compute_weights(float* scores, int n, int m) {
  const int query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query >= n) return;
  float* const row = scores + query * m;
  float max = row[0];
  for (int key = 1; key < m; ++key) max = fmaxf(max, row[key]);
  float total = 0;
  for (int key = 0; key < m; ++key) total += expf(row[key] - max);
  for (int key = 0; key < m; ++key) row[key] = expf(row[key] - max) / total;
}

__global__ void weigh_values(const float* weights, const float* v, float* result, int m) {
  float sum = 0;
  for (int key = 0; key < m; ++key) sum += weights[blockIdx.x * m + key] * v[key * width + threadIdx.x];
  result[blockIdx.x * width + threadIdx.x] = sum;
}

}  // namespace

Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  Tensor result = empty(q.sizes(), q.options());
  const int n = static_cast<int>(q.size(0));
  const int m = static_cast<int>(k.size(0));
  if (n == 0) return result;
  const Tensor scores = empty({n, m}, q.options());
  const cudaStream_t on = stream(q.device());
  compute_scores<<<dim3((m + 31) / 32, n), 32, 0, on>>>(q.data_ptr<float>(), k.data_ptr<float>(),
                                                        scores.data_ptr<float>(), m);
  compute_weights<<<(n + 31) / 32, 32, 0, on>>>(scores.data_ptr<float>(), n, m);
  weigh_values<<<n, width, 0, on>>>(scores.data_ptr<float>(), v.data_ptr<float>(), result.data_ptr<float>(), m);
  return result;
}
