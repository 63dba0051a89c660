// SPDX-License-Identifier: MIT
// A histogram with atomics in shared and in global memory.
#include <vector>

#include "verify.h"

#define BINS 64

__global__ void histogram(const unsigned char* data, int n, unsigned int* bins) {
  __shared__ unsigned int local[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[data[i] % BINS], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(bins + i, local[i]);
}

int main() {
  std::vector<unsigned char> data(20000);
  std::vector<unsigned int> expected(BINS), found(BINS);
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<unsigned char>(i * i % 251), ++expected[data[i] % BINS];
  unsigned char* d;
  unsigned int* bins;
  CHECK(cudaMalloc(&d, data.size()));
  CHECK(cudaMalloc(&bins, BINS * sizeof *bins));
  CHECK(cudaMemset(bins, 0, BINS * sizeof *bins));
  CHECK(cudaMemcpy(d, data.data(), data.size(), cudaMemcpyHostToDevice));
  histogram<<<8, 128>>>(d, static_cast<int>(data.size()), bins);
  CHECK(cudaMemcpy(found.data(), bins, BINS * sizeof *bins, cudaMemcpyDeviceToHost));
  REQUIRE(found == expected);
  CHECK(cudaFree(d));
  CHECK(cudaFree(bins));
  return passed();
}
