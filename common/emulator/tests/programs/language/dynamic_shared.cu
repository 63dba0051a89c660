// SPDX-License-Identifier: MIT
// Dynamic shared memory, also in a template, and more of it than 48 KiB.
#include "verify.h"

__global__ void reverse(int* x, int n) {
  extern __shared__ int s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[n - 1 - threadIdx.x];
}

template <typename T>
__global__ void rotate(T* x, int n) {
  extern __shared__ __align__(sizeof(double)) unsigned char bytes[];
  T* const s = reinterpret_cast<T*>(bytes);
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[(threadIdx.x + 1) % n];
}

/// The memory as a structure, by a reference and by the array's address, and in a lambda that copies.
template <typename T>
struct Pair {
  T first, second;
};
template <typename T>
__global__ void swap_pairs(T* x) {
  extern __shared__ __align__(sizeof(double)) unsigned char bytes[];
  auto& pairs = reinterpret_cast<Pair<T>(&)[64]>(bytes);
  Pair<T>* same = reinterpret_cast<Pair<T>*>(&bytes);
  if (threadIdx.x < 64) pairs[threadIdx.x] = {x[2 * threadIdx.x], x[2 * threadIdx.x + 1]};
  __syncthreads();
  if (threadIdx.x < 64) {
    x[2 * threadIdx.x] = same[threadIdx.x].second;
    x[2 * threadIdx.x + 1] = same[threadIdx.x].first;
  }
}
__global__ void double_them(int* x) {
  extern __shared__ int s[];
  const int place = threadIdx.x;
  s[place] = x[place];
  const auto load = [=](int i) { return 2 * s[i]; };
  x[place] = load(place);
}

int main() {
  const int n = 200;
  int h[n], *x;
  for (int i = 0; i < n; ++i) h[i] = i;
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<1, n, n * sizeof(int)>>>(x, n);
  rotate<int><<<1, n, n * sizeof(int)>>>(x, n);
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) REQUIRE(h[i] == n - 1 - (i + 1) % n);
  swap_pairs<<<1, 128, 128 * sizeof(int)>>>(x);
  double_them<<<1, 128, 128 * sizeof(int)>>>(x);
  int swapped[n];
  CHECK(cudaMemcpy(swapped, x, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i) REQUIRE(swapped[i] == 2 * h[i ^ 1]);
  reverse<<<1, n, 64 * 1024>>>(x, n);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
  reverse<<<1, n, 64 * 1024>>>(x, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return passed();
}
