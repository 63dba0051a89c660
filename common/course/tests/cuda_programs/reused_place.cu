// SPDX-License-Identifier: MIT
// The host releases a tensor after a launch, and a smaller tensor gets its place before the kernel runs. With an
// argument the kernel goes beyond the first tensor, by one.
#include <iostream>
#include <optional>

#include "d2l/d2l.h"
#include "d2l/stream.h"
#include "d2l/testing.h"

__global__ void add_one(float* x, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) x[i] += 1;
}

int main(int argc, char**) {
  const d2l::Device device = d2l::gpu(0);
  constexpr int n = 100;  // as many blocks of the pool as the small tensor has
  std::optional<d2l::Tensor> large = d2l::zeros({n}, device);
  d2l::synchronize();
  const void* const place = large->data_ptr();
  d2l::Tensor small;
  {
    const d2l::testing::HeldQueue held(device);
    add_one<<<1, 128, 0, d2l::stream(device)>>>(large->data_ptr<float>(), n + argc - 1);
    large.reset();
    small = d2l::zeros({10}, device);
    add_one<<<1, 32, 0, d2l::stream(device)>>>(small.data_ptr<float>(), 10);
  }
  if (small.data_ptr() != place) {
    std::cout << "FAILED: the place was not used again\n";
    return 1;
  }
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::cout << (small.sum().item<float>() == 10 ? "PASSED\n" : "FAILED\n");
  return 0;
}
