// SPDX-License-Identifier: MIT
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void softmax_rows(const float* x, float* result, int columns) {
  // TODO: find the maximum and the sum of the row in one pass, and write the
  // probabilities.
  const int row = blockIdx.x;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    result[row * columns + i] = x[row * columns + i];
}

Tensor softmax(const Tensor& x) {
  Tensor result = zeros(x.sizes(), x.options());
  const int rows = static_cast<int>(x.size(0));
  const int columns = static_cast<int>(x.size(1));
  if (rows > 0) {
    softmax_rows<<<rows, 256, 0, stream(x.device())>>>(
        x.data_ptr<float>(), result.data_ptr<float>(), columns);
  }
  return result;
}
