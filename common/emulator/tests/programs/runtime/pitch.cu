// SPDX-License-Identifier: MIT
// Two-dimensional memory with a pitch, copies and fills of it.
#include "verify.h"

__global__ void fill(char* memory, std::size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) reinterpret_cast<float*>(memory + y * pitch)[x] += 100 * y + x;
}

int main() {
  const int width = 33, height = 9;
  char* d;
  std::size_t pitch = 0;
  CHECK(cudaMallocPitch(&d, &pitch, width * sizeof(float), height));
  REQUIRE(pitch >= width * sizeof(float));
  CHECK(cudaMemset2D(d, pitch, 0, width * sizeof(float), height));
  fill<<<dim3(3, 2), dim3(16, 8)>>>(d, pitch, width, height);
  float h[height][width];
  CHECK(cudaMemcpy2D(h, sizeof h[0], d, pitch, sizeof h[0], height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) REQUIRE(h[y][x] == 100 * y + x);
  }
  CHECK(cudaMemcpy2D(d, pitch, h, sizeof h[0], sizeof h[0], height, cudaMemcpyHostToDevice));
  CHECK(cudaFree(d));
  return passed();
}
