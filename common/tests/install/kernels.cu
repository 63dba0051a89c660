// SPDX-License-Identifier: MIT
// A kernel of a header and an algorithm on the memory of a tensor, with the installed emulator.
#include <d2l/d2l.h>
#include <d2l/thrust.h>
#include <thrust/transform.h>

#include <cstdio>

#include "kernels/twice.cuh"

int main(int arguments, char**) {
  d2l::Tensor x = d2l::ones({1000}, d2l::gpu(0));
  float* const data = x.data_ptr<float>();
  launch_twice(data, 1000, arguments - 1, d2l::stream());
  thrust::transform(d2l::thrust_policy(), data, data + 1000, data, [] __device__(float v) { return v + 1; });
  std::printf("sum %g\n", x.sum().item<float>());
}
