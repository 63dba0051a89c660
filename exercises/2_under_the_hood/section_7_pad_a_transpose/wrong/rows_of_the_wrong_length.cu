// SPDX-License-Identifier: MIT
// The result is addressed as if its rows were as long as those of x.
// Fails: values: illegal memory access
// May fail: placed
// May fail: requests
// May fail: sectors
// May fail: passes
// May fail: barriers
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
    if (row < columns && column < rows) result[row * columns + column] = tile[lane][i];
  }
}

Tensor transposed(const Tensor& x) {
  const int rows = static_cast<int>(x.size(0));
  const int columns = static_cast<int>(x.size(1));
  Tensor result = empty({columns, rows}, x.options());
  const dim3 blocks((columns + width - 1) / width, (rows + width - 1) / width);
  transpose<<<blocks, dim3(width, step), 0, stream(x.device())>>>(x.data_ptr<float>(), result.data_ptr<float>(), rows,
                                                                  columns);
  return result;
}
