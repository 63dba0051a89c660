// SPDX-License-Identifier: MIT
// Functions that the compiler puts into the kernel.
__device__ __forceinline__ void store(int* x, int i) { x[i] = i; }
__device__ __forceinline__ void store_twice(int* x, int i) {
  store(x, i);
  store(x + 200, i);
}
__global__ void set(int* x) { store_twice(x, threadIdx.x); }

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 200 * sizeof(int));
  set<<<1, 10>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
