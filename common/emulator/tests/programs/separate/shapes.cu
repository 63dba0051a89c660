// SPDX-License-Identifier: MIT
// The device code that main.cu uses.
#include "../verify.h"
#include "shapes.h"

__device__ float multiplied(float x, int which) { return x * factors[which]; }
static __device__ float add_one(float x) { return x + 1; }
static __device__ float subtract_from_zero(float x) { return -x; }
__device__ Operation operations[2] = {add_one, subtract_from_zero};

extern "C" __global__ void make_ten_times(float* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] *= 10;
}

struct Square : Shape {
  float side;
  __device__ explicit Square(float of) : side(of) {}
  __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
  float radius;
  __device__ explicit Circle(float of) : radius(of) {}
  __device__ float area() const override { return 3 * radius * radius; }
};
__global__ void make_shapes(Shape** shapes) {
  shapes[0] = new Square(2);
  shapes[1] = new Circle(3);
}

template __global__ void count_all<long>(long* out);

static __global__ void change_variables() {
  atomicAdd(&counter, 10);
  total += 100;
}
void use_from_the_other_file() {
  const float nine[4] = {9, 9, 9, 9};
  CHECK(cudaMemcpyToSymbol(factors, nine, sizeof nine));
  change_variables<<<1, 1>>>();
}
