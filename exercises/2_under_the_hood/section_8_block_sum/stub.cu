// SPDX-License-Identifier: MIT
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void add_up(const float* x, float* sum, int n) {
  // TODO: each element is an atomic addition, and only the elements of the first block
  // are added. Let each thread add several elements, then each warp by shuffles, then
  // the block; one thread of the block adds the sum of the block.
  const int i = static_cast<int>(threadIdx.x);
  if (i < n) atomicAdd(sum, x[i]);
}

Tensor sum_of(const Tensor& x) {
  Tensor sum = zeros({}, x.options());
  add_up<<<1, 256, 0, stream(x.device())>>>(x.data_ptr<float>(), sum.data_ptr<float>(),
                                            static_cast<int>(x.numel()));
  return sum;
}
