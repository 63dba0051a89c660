// SPDX-License-Identifier: MIT
// A parameter that is a reference to an object of the host: the launch is right, the access is an error of the device.
#include "verify.h"

struct Size {
  int rows, columns;
};
__global__ void count_elements(const Size& size, int* out) { *out = size.rows * size.columns; }

int main() {
  int* out = nullptr;
  CHECK(cudaMalloc(&out, sizeof(int)));
  const Size size{3, 4};
  count_elements<<<1, 1>>>(size, out);
  const cudaError_t launched = cudaPeekAtLastError();  // the kernel may have failed by now
  verify(launched == cudaSuccess || launched == cudaErrorIllegalAddress, "the launch itself is right");
  verify(cudaDeviceSynchronize() == cudaErrorIllegalAddress, "the address of an object on the host's stack");
  return passed();
}
