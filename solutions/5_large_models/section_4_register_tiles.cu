// SPDX-License-Identifier: MIT
// A block of 16 by 16 threads computes a tile of 64 by 64 elements, and each thread 4
// by 4 of them, 16 rows and 16 columns apart. In one step of the inner dimension a
// thread reads 4 values of a and 4 of b from shared memory, and multiplies each with
// each: 8 reads for 16 multiplications, where a thread with one element needs 32.
//
// What lies outside a matrix is loaded as 0, which changes no sum. The loops over the
// elements of a thread have a constant number of iterations, so that the compiler can
// unroll them and keep the sums in registers.
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int side = 16;
constexpr int each = 4;
constexpr int width = side * each;

__global__ void multiply(const float* a, const float* b, float* c, int m, int k,
                         int n) {
  __shared__ float tile_a[width][side];
  __shared__ float tile_b[side][width];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * width + y;
  const int column = static_cast<int>(blockIdx.x) * width + x;
  float sums[each][each] = {};
  for (int begin = 0; begin < k; begin += side) {
    for (int i = 0; i < each; ++i) {
      const int r = row + i * side;
      const int s = column + i * side;
      tile_a[y + i * side][x] = r < m && begin + x < k ? a[r * k + begin + x] : 0.0f;
      tile_b[y][x + i * side] = begin + y < k && s < n ? b[(begin + y) * n + s] : 0.0f;
    }
    __syncthreads();
    for (int step = 0; step < side; ++step) {
      float left[each];
      float right[each];
      for (int i = 0; i < each; ++i) left[i] = tile_a[y + i * side][step];
      for (int j = 0; j < each; ++j) right[j] = tile_b[step][x + j * side];
      for (int i = 0; i < each; ++i) {
        for (int j = 0; j < each; ++j) sums[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < each; ++i) {
    for (int j = 0; j < each; ++j) {
      const int r = row + i * side;
      const int s = column + j * side;
      if (r < m && s < n) c[r * n + s] = sums[i][j];
    }
  }
}

Tensor product(const Tensor& a, const Tensor& b) {
  const int m = static_cast<int>(a.size(0));
  const int k = static_cast<int>(a.size(1));
  const int n = static_cast<int>(b.size(1));
  Tensor c = empty({m, n}, a.options());
  const dim3 blocks((n + width - 1) / width, (m + width - 1) / width);
  multiply<<<blocks, dim3(side, side), 0, stream(a.device())>>>(
      a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), m, k, n);
  return c;
}
