// SPDX-License-Identifier: MIT
// Computes the grid for any size. For no rows it has 0 blocks.
// Fails: empty: refused
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void subtract(const float* heights, float* result, int rows, int columns, float down, float across) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || column >= columns) return;
  const int i = row * columns + column;
  result[i] = heights[i] - down * row - across * column;
}

Tensor subtract_plane(const Tensor& heights, float down, float across) {
  const auto rows = static_cast<int>(heights.size(0));
  const auto columns = static_cast<int>(heights.size(1));
  Tensor result = empty(heights.sizes(), heights.options());
  const dim3 threads(32, 8);
  const dim3 blocks((columns + threads.x - 1) / threads.x, (rows + threads.y - 1) / threads.y);
  subtract<<<blocks, threads, 0, stream(heights.device())>>>(heights.data_ptr<float>(), result.data_ptr<float>(), rows,
                                                             columns, down, across);
  return result;
}
