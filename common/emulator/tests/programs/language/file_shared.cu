// SPDX-License-Identifier: MIT
// Shared memory that is declared outside of functions: all kernels and functions of the file use it, each block its
// own.
#include "verify.h"

constexpr int threads = 128;

__shared__ int values[threads];
static __shared__ int total, *largest;
__shared__ struct { int first, last; } ends;
namespace tiles {
__shared__ float tile[4][threads / 4];
}

struct Summary {
  int total;
};

__device__ void add_up() {
  if (threadIdx.x != 0) return;
  total = 0;
  for (int i = 0; i < threads; ++i) total += values[i];
  ends.first = values[0];
  ends.last = values[threads - 1];
  largest = &values[0];
  for (int& value : values) {
    if (value > *largest) largest = &value;
  }
}

__global__ void sums(int* out) {
  values[threadIdx.x] = threadIdx.x + blockIdx.x;
  __syncthreads();
  add_up();
  __syncthreads();
  if (threadIdx.x == 0) {
    Summary summary;
    summary.total = total;
    out[blockIdx.x] = summary.total + ends.last - ends.first + *largest;
  }
}

/// Both have variables of their own with these names.
__global__ void own_names(int* out) {
  int total = 3, *largest = &total;
  for (int i = 0; i < 2; ++i) {
    int ends = i;
    if (threadIdx.x == 0) out[0] += *largest + ends;
  }
}

namespace tiles {
template <class T>
__global__ void turn(T* x) {
  const int row = threadIdx.x / 32, column = threadIdx.x % 32;
  tile[row][column] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[3 - row][column];
}
}  // namespace tiles

int sum_on_host(const int* values, int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += values[i];
  return total;
}

int main() {
  const int blocks = 50;
  int h[blocks], *out;
  CHECK(cudaMalloc(&out, sizeof h));
  sums<<<blocks, threads>>>(out);
  CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  int right = 0;
  for (int i = 0; i < blocks; ++i) {
    const int sum = threads * (threads - 1) / 2 + i * threads;
    REQUIRE(h[i] == sum + threads - 1 + threads - 1 + i);
    right += h[i];
  }
  REQUIRE(sum_on_host(h, blocks) == right);
  own_names<<<1, 1>>>(out);
  int more = 0;
  CHECK(cudaMemcpy(&more, out, sizeof more, cudaMemcpyDeviceToHost));
  REQUIRE(more == h[0] + 7);
  float t[threads], *x;
  for (int i = 0; i < threads; ++i) t[i] = i;
  CHECK(cudaMalloc(&x, sizeof t));
  CHECK(cudaMemcpy(x, t, sizeof t, cudaMemcpyHostToDevice));
  tiles::turn<<<1, threads>>>(x);
  CHECK(cudaMemcpy(t, x, sizeof t, cudaMemcpyDeviceToHost));
  for (int i = 0; i < threads; ++i) REQUIRE(t[i] == (3 - i / 32) * 32 + i % 32);
  CHECK(cudaFree(out));
  CHECK(cudaFree(x));
  return passed();
}
