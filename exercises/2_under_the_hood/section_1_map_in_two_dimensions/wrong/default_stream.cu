// SPDX-License-Identifier: MIT
// Launches without a stream: the kernel is not ordered with the tensors' work, and runs on the current device.
// Fails: values: Write stream(device) as the fourth part
// May fail: placed
// May fail: launch
// May fail: grid
// May fail: accesses
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
  if (heights.numel() == 0) return result;  // a grid of 0 blocks is refused
  const dim3 threads(32, 8);
  const dim3 blocks((columns + threads.x - 1) / threads.x, (rows + threads.y - 1) / threads.y);
  subtract<<<blocks, threads>>>(heights.data_ptr<float>(), result.data_ptr<float>(), rows, columns, down, across);
  return result;
}
