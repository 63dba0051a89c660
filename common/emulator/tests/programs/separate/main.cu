// SPDX-License-Identifier: MIT
// A program whose device code is in two files: nvcc compiles it with -rdc=true.
#include "../verify.h"
#include "shapes.h"

__device__ int counter = 5;
__constant__ float factors[4] = {1, 2, 3, 4};
__managed__ int total = 7;

__global__ void use(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = operations[i % 2](multiplied(x[i], i % 4));
  if (i == 0) {
    atomicAdd(&counter, 1);
    total += 1;
  }
}
__global__ void measure(Shape** shapes, float* areas) {
  areas[threadIdx.x] = shapes[threadIdx.x]->area();
  delete shapes[threadIdx.x];
}

int main() {
  constexpr int n = 64;
  float* x = nullptr;
  CHECK(cudaMallocManaged(&x, n * sizeof(float)));
  for (int i = 0; i < n; ++i) x[i] = 1;
  use<<<1, n>>>(x, n);
  make_ten_times<<<1, n>>>(x, n);
  CHECK(cudaDeviceSynchronize());
  verify(x[0] == 20 && x[1] == -20 && x[2] == 40 && x[3] == -40, "functions, constants and pointers of another file");
  use_from_the_other_file();
  CHECK(cudaDeviceSynchronize());
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  verify(count == 16 && total == 108, "variables that both files change");
  float factor = 0;
  CHECK(cudaMemcpyFromSymbol(&factor, factors, sizeof factor, 3 * sizeof factor));
  verify(factor == 9, "a constant that the other file has set");
  long* out = nullptr;
  CHECK(cudaMallocManaged(&out, sizeof *out));
  count_all<long><<<1, 1>>>(out);
  CHECK(cudaDeviceSynchronize());
  verify(*out == 16, "a template that the other file instantiates");
  Shape** shapes = nullptr;
  CHECK(cudaMalloc(&shapes, 2 * sizeof(Shape*)));
  make_shapes<<<1, 1>>>(shapes);
  measure<<<1, 2>>>(shapes, x);
  CHECK(cudaDeviceSynchronize());
  verify(x[0] == 4 && x[1] == 27, "virtual functions of the other file");
  CHECK(cudaFree(shapes));
  CHECK(cudaFree(out));
  CHECK(cudaFree(x));
  return passed();
}
