// SPDX-License-Identifier: MIT
#include <thrust/transform.h>

#include "d2l/thrust.h"
#include "exercise.h"

using namespace d2l;

Tensor blend(const Tensor& x, const Tensor& y, float a) {
  // TODO: two launches and a temporary, and nothing limits the result. Use
  // thrust::transform with thrust_policy(x.device()).
  return a * x + y;
}
