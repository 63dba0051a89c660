// SPDX-License-Identifier: MIT
// The function waits until the result is there, in case the caller reads it. A caller that reads it waits by itself.
// Fails: waits: wait
#include <thrust/transform.h>

#include "d2l/thrust.h"
#include "exercise.h"

using namespace d2l;

Tensor blend(const Tensor& x, const Tensor& y, float a) {
  Tensor result = empty(x.sizes(), x.options());
  const float* const first = x.data_ptr<float>();
  thrust::transform(thrust_policy(x.device()), first, first + x.numel(), y.data_ptr<float>(), result.data_ptr<float>(),
                    [a] __device__(float left, float right) {
                      const float value = a * left + right;
                      return value < 0 ? 0.0f : value > 1 ? 1.0f : value;
                    });
  synchronize(x.device());
  return result;
}
