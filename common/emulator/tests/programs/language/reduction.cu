// SPDX-License-Identifier: MIT
// A reduction in shared memory and with shuffles.
#include <vector>

#include "verify.h"

__inline__ __device__ int warp_sum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

__global__ void sum(const int* x, int n, int* result) {
  __shared__ int warps[32];
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) mine += x[i];
  mine = warp_sum(mine);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) warps[warp] = mine;
  __syncthreads();
  mine = threadIdx.x < blockDim.x / 32 ? warps[lane] : 0;
  if (warp == 0) mine = warp_sum(mine);
  if (threadIdx.x == 0) atomicAdd(result, mine);
}

int main() {
  std::vector<int> h(30001);
  int expected = 0;
  for (std::size_t i = 0; i < h.size(); ++i) expected += h[i] = static_cast<int>(i % 17);
  int *x, *result, found = 0;
  CHECK(cudaMalloc(&x, h.size() * sizeof(int)));
  CHECK(cudaMalloc(&result, sizeof(int)));
  CHECK(cudaMemset(result, 0, sizeof(int)));
  CHECK(cudaMemcpy(x, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice));
  sum<<<5, 256>>>(x, static_cast<int>(h.size()), result);
  CHECK(cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost));
  REQUIRE(found == expected);
  CHECK(cudaFree(x));
  CHECK(cudaFree(result));
  return passed();
}
