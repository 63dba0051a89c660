// SPDX-License-Identifier: MIT
// Memory that kernels allocate: malloc() and new, objects with virtual functions, the limit of the heap.
#include "verify.h"

class Shape {
 public:
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
};
class Square : public Shape {
 public:
  __device__ explicit Square(float side) : side_(side) {}
  __device__ float area() const override { return side_ * side_; }

 private:
  float side_;
};
class Rectangle : public Shape {
 public:
  __device__ Rectangle(float width, float height) : width_(width), height_(height) {}
  __device__ float area() const override { return width_ * height_; }

 private:
  float width_, height_;
};

__global__ void make(Shape** shapes) {
  const int i = threadIdx.x;
  shapes[i] = i % 2 == 0 ? static_cast<Shape*>(new Square(i)) : new Rectangle(i, 10);
}
__global__ void areas(Shape** shapes, float* out) { out[threadIdx.x] = shapes[threadIdx.x]->area(); }
__global__ void destroy(Shape** shapes) { delete shapes[threadIdx.x]; }

__global__ void sums(int* out) {
  int* const own = static_cast<int*>(malloc(10 * sizeof(int)));
  if (own == nullptr) return;
  for (int i = 0; i < 10; ++i) own[i] = i * threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 10; ++i) sum += own[i];
  out[threadIdx.x] = sum;
  free(own);
}
__global__ void too_much(int* out) {
  void* const memory = malloc(size_t{9} << 20);
  *out = memory == nullptr;
  free(memory);
}

int main() {
  Shape** shapes;
  float* out;
  int* results;
  CHECK(cudaMalloc(&shapes, 32 * sizeof(Shape*)));
  CHECK(cudaMallocManaged(&out, 32 * sizeof(float)));
  CHECK(cudaMallocManaged(&results, 32 * sizeof(int)));
  make<<<1, 32>>>(shapes);
  areas<<<1, 32>>>(shapes, out);
  destroy<<<1, 32>>>(shapes);
  CHECK(cudaDeviceSynchronize());
  REQUIRE(out[4] == 16 && out[5] == 50);
  sums<<<1, 32>>>(results);
  CHECK(cudaDeviceSynchronize());
  REQUIRE(results[2] == 90);
  too_much<<<1, 1>>>(results);  // the heap has 8 MiB
  CHECK(cudaDeviceSynchronize());
  REQUIRE(results[0] == 1);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t{64} << 20));
  CHECK(cudaFree(shapes));
  CHECK(cudaFree(out));
  CHECK(cudaFree(results));
  return passed();
}
