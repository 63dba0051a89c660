// Views of memory: cuda::std::span and cuda::std::mdspan.
#include <cuda/std/mdspan>
#include <cuda/std/span>

#include "verify.h"

__global__ void transpose(const float* in, float* out, int rows, int columns) {
  using Shape = cuda::std::dextents<int, 2>;
  const cuda::std::mdspan<const float, Shape> from(in, rows, columns);
  const cuda::std::mdspan<float, Shape> to(out, columns, rows);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < rows * columns) to(i % columns, i / columns) = from(i / columns, i % columns);
}

__global__ void sum(cuda::std::span<const float> values, float* out) {
  float result = 0;
  for (const float value : values.first(3)) result += value;
  *out = result + values.back();
}

int main() {
  constexpr int n = 1000;
  float *x, *y;
  CHECK(cudaMallocManaged(&x, n * sizeof(float)));
  CHECK(cudaMallocManaged(&y, n * sizeof(float)));
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i);
  transpose<<<(n + 255) / 256, 256>>>(x, y, 20, 50);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) REQUIRE(y[i % 50 * 20 + i / 50] == x[i]);
  sum<<<1, 1>>>(cuda::std::span<const float>(x, 10), y);
  CHECK(cudaDeviceSynchronize());
  verify(*y == 0 + 1 + 2 + 9, "the sum of a span");
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return passed();
}
