// SPDX-License-Identifier: MIT
// Templates of kernels: deduced and explicit arguments, values, and a functor.
#include "verify.h"

template <class T>
struct Scale {
  T by;
  __host__ __device__ T operator()(T x) const { return by * x; }
};

template <class T, class F>
__global__ void apply(T* x, int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = f(x[i]);
}

template <typename T, int size, bool twice = (size > 3)>
__global__ void set(T* x) {
  if (threadIdx.x < size) x[threadIdx.x] = twice ? 2 * T(threadIdx.x) : T(threadIdx.x);
}

int main() {
  double* x;
  CHECK(cudaMalloc(&x, 64 * sizeof *x));
  set<double, (64 > 3) ? 64 : 1><<<1, 64>>>(x);
  apply<<<dim3(2), dim3(32)>>>(x, 64, Scale<double>{3});
  CHECK(cudaDeviceSynchronize());
  double h[64];
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) REQUIRE(h[i] == 6.0 * i);
  CHECK(cudaFree(x));
  return passed();
}
