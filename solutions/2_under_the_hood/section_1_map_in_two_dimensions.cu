// SPDX-License-Identifier: MIT
// The grid has the shape of the matrix: x counts columns and y counts rows, so each
// thread has its row and column without a division. Both need a guard, because the grid
// is rounded up in both dimensions: an index beyond the last column is that of an
// element in the next row, which another thread writes. Blocks are 32 threads wide, so
// the threads of a warp read neighbours in a row (section 2.4 says why that matters).
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void subtract(const float* heights, float* result, int rows, int columns,
                         float down, float across) {
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
  if (heights.numel() == 0) return result;  // a grid of 0 blocks is refused
  const dim3 threads(32, 8);
  const dim3 blocks((columns + threads.x - 1) / threads.x,
                    (rows + threads.y - 1) / threads.y);
  subtract<<<blocks, threads, 0, stream(heights.device())>>>(
      heights.data_ptr<float>(), result.data_ptr<float>(), rows, columns, down, across);
  return result;
}
