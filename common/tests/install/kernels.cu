// SPDX-License-Identifier: MIT
// A kernel and an algorithm on the memory of a tensor, with the installed emulator.
#include <d2l/d2l.h>
#include <d2l/thrust.h>
#include <thrust/transform.h>

#include <cstdio>

__global__ void twice(float* x, int n, int beyond) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n + beyond) x[i] *= 2;
}

int main(int arguments, char**) {
  d2l::Tensor x = d2l::ones({1000}, d2l::gpu(0));
  float* const data = x.data_ptr<float>();
  twice<<<4, 256, 0, d2l::stream()>>>(data, 1000, arguments - 1);
  thrust::transform(d2l::thrust_policy(), data, data + 1000, data, [] __device__(float v) { return v + 1; });
  std::printf("sum %g\n", x.sum().item<float>());
}
