// SPDX-License-Identifier: MIT
// A block computes a tile of the result and walks along the inner dimension, 16 columns
// of a and 16 rows of b at a time. Each thread loads one element of each tile:
// neighbouring lanes read neighbouring elements in both. What lies outside a matrix is
// loaded as 0, which changes no sum, so the inner loop needs no condition. All threads
// of the block must load and reach both barriers, also those whose element of the
// result does not exist: only the store has a guard.
//
// The first barrier separates the loads from their use, the second one the use from the
// loads of the next step.
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int width = 16;

__global__ void multiply(const float* a, const float* b, float* c, int m, int k,
                         int n) {
  __shared__ float tile_a[width][width];
  __shared__ float tile_b[width][width];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * width + y;
  const int column = static_cast<int>(blockIdx.x) * width + x;
  float sum = 0;
  for (int begin = 0; begin < k; begin += width) {
    tile_a[y][x] = row < m && begin + x < k ? a[row * k + begin + x] : 0.0f;
    tile_b[y][x] = begin + y < k && column < n ? b[(begin + y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < width; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

Tensor product(const Tensor& a, const Tensor& b) {
  const int m = static_cast<int>(a.size(0));
  const int k = static_cast<int>(a.size(1));
  const int n = static_cast<int>(b.size(1));
  Tensor c = empty({m, n}, a.options());
  const dim3 blocks((n + width - 1) / width, (m + width - 1) / width);
  multiply<<<blocks, dim3(width, width), 0, stream(a.device())>>>(
      a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), m, k, n);
  return c;
}
