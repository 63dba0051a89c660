// SPDX-License-Identifier: MIT
// Rounds the grid up, and forgets that it is then larger than the matrix.
// Fails: values: out of bounds
// May fail: placed
// May fail: launch
// May fail: grid
// May fail: accesses
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void subtract(const float* heights, float* result, int columns, float down, float across) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = row * columns + column;
  result[i] = heights[i] - down * row - across * column;
}

Tensor subtract_plane(const Tensor& heights, float down, float across) {
  const auto rows = static_cast<int>(heights.size(0));
  const auto columns = static_cast<int>(heights.size(1));
  Tensor result = empty(heights.sizes(), heights.options());
  if (heights.numel() == 0) return result;
  const dim3 threads(32, 8);
  const dim3 blocks((columns + threads.x - 1) / threads.x, (rows + threads.y - 1) / threads.y);
  subtract<<<blocks, threads, 0, stream(heights.device())>>>(heights.data_ptr<float>(), result.data_ptr<float>(),
                                                             columns, down, across);
  return result;
}
