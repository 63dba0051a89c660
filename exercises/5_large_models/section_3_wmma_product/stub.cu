// SPDX-License-Identifier: MIT
#include <mma.h>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;
namespace wmma = nvcuda::wmma;

constexpr int width = 16;

// One warp for each tile of the result.
__global__ void multiply(const half* a, const half* b, float* c, int m, int k, int n) {
  const int row = static_cast<int>(blockIdx.y) * width;
  const int column = static_cast<int>(blockIdx.x) * width;
  wmma::fragment<wmma::accumulator, width, width, width, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  // TODO: for each 16 columns of a, copy a tile of a and one of b to shared memory,
  // with zeros outside of the matrices, load the fragments from there, and multiply.
  static_cast<void>(a);
  static_cast<void>(b);
  static_cast<void>(k);
  if (row + width <= m && column + width <= n && n % 8 == 0) {
    wmma::store_matrix_sync(c + row * n + column, sum, static_cast<unsigned>(n),
                            wmma::mem_row_major);
  }
}

Tensor product(const Tensor& a, const Tensor& b) {
  const int m = static_cast<int>(a.size(0));
  const int k = static_cast<int>(a.size(1));
  const int n = static_cast<int>(b.size(1));
  Tensor c = zeros({m, n}, a.options().dtype(kFloat));
  const dim3 blocks((n + width - 1) / width, (m + width - 1) / width);
  multiply<<<blocks, 32, 0, stream(a.device())>>>(
      reinterpret_cast<const half*>(a.data_ptr<Half>()),
      reinterpret_cast<const half*>(b.data_ptr<Half>()), c.data_ptr<float>(), m, k, n);
  return c;
}
