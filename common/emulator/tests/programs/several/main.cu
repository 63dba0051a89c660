// SPDX-License-Identifier: MIT
// Several files, and a header with code for the device.
#include "../verify.h"
#include "scale.cuh"

int main() {
  float h[500], *x;
  for (int i = 0; i < 500; ++i) h[i] = i;
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  launch_scale(x, 500);
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 500; ++i) REQUIRE(h[i] == 3.0f * i);
  CHECK(cudaFree(x));
  return passed();
}
