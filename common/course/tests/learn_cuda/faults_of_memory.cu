// SPDX-License-Identifier: MIT
// Faults that only a check can see: a write to constant memory, a number of which a byte was never written, and copies
// of the compiler that overlap.
#include <cstring>

__constant__ int factors[4];

struct Item {
  short first, second, third;
};

__global__ void write_constant(const int* in) { const_cast<int*>(factors)[threadIdx.x] = in[threadIdx.x]; }
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
__global__ void copy_two(Item* to, const Item* from) {
  __builtin_memcpy(&to[threadIdx.x], &from[threadIdx.x], 2 * sizeof(Item));
}

bool run_kernels(const char* fault) {
  const auto is = [fault](const char* name) { return std::strcmp(fault, name) == 0; };
  int *x, h[10];
  Item *from, *to;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&from, 4 * sizeof(Item));
  cudaMalloc(&to, 4 * sizeof(Item));
  cudaMemset(x, 0, sizeof h - (is("partly") ? 1 : 0));
  cudaMemset(from, 1, 4 * sizeof(Item));
  if (is("constant")) write_constant<<<1, 1>>>(x);
  twice<<<1, 10>>>(x);
  copy_two<<<1, is("builtin") ? 3 : 1>>>(to, from);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  Item copied[2];
  cudaMemcpy(copied, to, sizeof copied, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(from);
  cudaFree(to);
  return h[0] == 0 && copied[1].third == 0x0101;
}
