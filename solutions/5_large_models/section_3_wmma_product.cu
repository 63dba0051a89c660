// SPDX-License-Identifier: MIT
// One warp computes one tile of the result. For each 16 columns of a it copies a tile
// of a and one of b to shared memory: each lane copies 8 elements of both, in rows of
// 16 neighbours, and writes 0 where a matrix has no element. Zeros change no sum, so
// the product needs no condition. The fragments come from shared memory, where each
// tile is complete, its rows are 16 elements apart, and its address is aligned.
//
// At the end the sums go to shared memory, too, because `store_matrix_sync` stores all
// of a tile, and those elements that exist from there to the result.
//
// The lanes of a warp exchange values through shared memory, so `__syncwarp` must
// separate the copies from the loads, and the loads from the next copies. A barrier of
// the block would do the same, for a block of one warp.
#include <mma.h>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;
namespace wmma = nvcuda::wmma;

constexpr int width = 16;

__global__ void multiply(const half* a, const half* b, float* c, int m, int k, int n) {
  __shared__ alignas(32) half tile_a[width][width];
  __shared__ alignas(32) half tile_b[width][width];
  __shared__ alignas(32) float tile_c[width][width];
  const int lane = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.y) * width;
  const int column = static_cast<int>(blockIdx.x) * width;
  const half zero = __float2half(0);
  wmma::fragment<wmma::matrix_a, width, width, width, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, width, width, width, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, width, width, width, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int begin = 0; begin < k; begin += width) {
    for (int i = lane; i < width * width; i += 32) {
      const int r = i / width;
      const int s = i % width;
      tile_a[r][s] = row + r < m && begin + s < k ? a[(row + r) * k + begin + s] : zero;
      tile_b[r][s] =
          begin + r < k && column + s < n ? b[(begin + r) * n + column + s] : zero;
    }
    __syncwarp();
    wmma::load_matrix_sync(left, &tile_a[0][0], width);
    wmma::load_matrix_sync(right, &tile_b[0][0], width);
    wmma::mma_sync(sum, left, right, sum);
    __syncwarp();
  }
  wmma::store_matrix_sync(&tile_c[0][0], sum, width, wmma::mem_row_major);
  __syncwarp();
  for (int i = lane; i < width * width; i += 32) {
    const int r = row + i / width;
    const int s = column + i % width;
    if (r < m && s < n) c[r * n + s] = tile_c[i / width][i % width];
  }
}

Tensor product(const Tensor& a, const Tensor& b) {
  const int m = static_cast<int>(a.size(0));
  const int k = static_cast<int>(a.size(1));
  const int n = static_cast<int>(b.size(1));
  Tensor c = empty({m, n}, a.options().dtype(kFloat));
  const dim3 blocks((n + width - 1) / width, (m + width - 1) / width);
  multiply<<<blocks, 32, 0, stream(a.device())>>>(
      reinterpret_cast<const half*>(a.data_ptr<Half>()),
      reinterpret_cast<const half*>(b.data_ptr<Half>()), c.data_ptr<float>(), m, k, n);
  return c;
}
