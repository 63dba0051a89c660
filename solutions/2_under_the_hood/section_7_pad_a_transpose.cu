// SPDX-License-Identifier: MIT
// A block of 32 by 8 threads transposes a tile of 32 by 32 elements, four rows of it
// for each thread. A warp loads 32 neighbours of a row of x and writes them to a row of
// the tile. After the barrier it reads a column of the tile, and stores it as 32
// neighbours of a row of the result. The rows of the tile have 33 words: so the words
// of a column are 33 apart, in 32 different banks, and both the row and the column take
// one pass.
//
// The tile at the block's place in x goes to the mirrored place in the result, so the
// roles of the two indices of the block are exchanged for the store, and so are the
// limits of its guard.
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int width = 32;
constexpr int step = 8;

__global__ void transpose(const float* x, float* result, int rows, int columns) {
  __shared__ float tile[width][width + 1];
  const int lane = static_cast<int>(threadIdx.x);
  const int first_row = static_cast<int>(blockIdx.y) * width;
  const int first_column = static_cast<int>(blockIdx.x) * width;
  for (int i = static_cast<int>(threadIdx.y); i < width; i += step) {
    const int row = first_row + i;
    const int column = first_column + lane;
    if (row < rows && column < columns) tile[i][lane] = x[row * columns + column];
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.y); i < width; i += step) {
    const int row = first_column + i;
    const int column = first_row + lane;
    if (row < columns && column < rows) result[row * rows + column] = tile[lane][i];
  }
}

Tensor transposed(const Tensor& x) {
  const int rows = static_cast<int>(x.size(0));
  const int columns = static_cast<int>(x.size(1));
  Tensor result = empty({columns, rows}, x.options());
  const dim3 blocks((columns + width - 1) / width, (rows + width - 1) / width);
  transpose<<<blocks, dim3(width, step), 0, stream(x.device())>>>(
      x.data_ptr<float>(), result.data_ptr<float>(), rows, columns);
  return result;
}
