// SPDX-License-Identifier: MIT
// cudaDeviceSynchronize() in a kernel, which CUDA 12 removed: a thread waits for what its block has launched, and uses
// the results. A compiler that does not have it uses a tail launch instead.
#include "verify.h"

#if defined(D2L_EMULATED) || __CUDACC_VER_MAJOR__ < 12
#define WAITS 1
#else
#define WAITS 0
#endif

__global__ void square(int* values) { values[threadIdx.x] *= values[threadIdx.x]; }

#if WAITS
__global__ void sum_of_squares(int* values, int* sums) {
  __shared__ int total;
  int* const own = values + 32 * blockIdx.x;
  own[threadIdx.x] = threadIdx.x + blockIdx.x;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    square<<<1, 32>>>(own);
    cudaDeviceSynchronize();
  }
  __syncthreads();
  atomicAdd(&total, own[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}
// Each call waits for two children, which wait for theirs.
__global__ void fibonacci(int n, int* result) {
  if (n < 2) {
    *result = n;
    return;
  }
  int* const parts = static_cast<int*>(malloc(2 * sizeof(int)));
  fibonacci<<<1, 1>>>(n - 1, parts);
  fibonacci<<<1, 1>>>(n - 2, parts + 1);
  cudaDeviceSynchronize();
  *result = parts[0] + parts[1];
  free(parts);
}
#else
__global__ void add(const int* values, int* sum) {
  *sum = 0;
  for (int i = 0; i < 32; ++i) *sum += values[i];
}
__global__ void sum_of_squares(int* values, int* sums) {
  int* const own = values + 32 * blockIdx.x;
  own[threadIdx.x] = threadIdx.x + blockIdx.x;
  __syncthreads();
  if (threadIdx.x != 0) return;
  square<<<1, 32>>>(own);
  add<<<1, 1, 0, cudaStreamTailLaunch>>>(own, sums + blockIdx.x);
}
__global__ void fibonacci(int n, int* result) {
  int one = 1;
  for (*result = 0; n > 0; --n) {
    const int next = *result + one;
    one = *result;
    *result = next;
  }
}
#endif

int main() {
  constexpr int blocks = 6;
  int *values, *sums;
  CHECK(cudaMalloc(&values, blocks * 32 * sizeof(int)));
  CHECK(cudaMallocManaged(&sums, blocks * sizeof(int)));
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t{8} << 20));
  sum_of_squares<<<blocks, 32>>>(values, sums);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (int block = 0; block < blocks; ++block) {
    int expected = 0;
    for (int i = 0; i < 32; ++i) expected += (i + block) * (i + block);
    verify(sums[block] == expected, "the sum of squares");
  }
  fibonacci<<<1, 1>>>(10, sums);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  verify(*sums == 55, "recursion with waits");
  CHECK(cudaFree(values));
  CHECK(cudaFree(sums));
  return passed();
}
