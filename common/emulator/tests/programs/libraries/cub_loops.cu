// CUB's loops over a range, and functions of whole numbers.
#include <cub/device/device_for.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/cmath>
#include <cuda/std/tuple>

#include "verify.h"

struct Double {
  __device__ void operator()(float& x) const { x *= 2; }
};
struct Square {
  float* out;
  __device__ void operator()(int i) const { out[i] = static_cast<float>(i * i); }
};
struct Add {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Negate {
  __device__ float operator()(float a) const { return -a; }
};

int main() {
  constexpr int n = 1000;
  static_assert(cuda::ceil_div(n, 256) == 4 && cuda::round_up(n, 256) == 1024 && cuda::round_down(n, 256) == 768);
  static_assert(cuda::ilog2(1000U) == 9 && cuda::ilog10(1000U) == 3);
  float *x, *y;
  CHECK(cudaMallocManaged(&x, n * sizeof(float)));
  CHECK(cudaMallocManaged(&y, n * sizeof(float)));
  CHECK(cub::DeviceFor::Bulk(n, Square{x}));
  CHECK(cub::DeviceFor::ForEachN(x, n, Double{}));
  CHECK(cub::DeviceFor::ForEach(x, x + n / 2, Double{}));
  CHECK(cub::DeviceTransform::Transform(x, y, n, Negate{}));
  CHECK(cub::DeviceTransform::Transform(cuda::std::make_tuple(x, y), y, n, Add{}));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) REQUIRE(y[i] == 0 && x[i] == static_cast<float>(i * i * (i < n / 2 ? 4 : 2)));
  std::size_t bytes = 0;
  CHECK(cub::DeviceFor::ForEachCopyN(nullptr, bytes, x, n, Negate{}));
  verify(bytes > 0, "the size of the temporary memory");
  void* memory;
  CHECK(cudaMalloc(&memory, bytes));
  CHECK(cub::DeviceFor::ForEachCopyN(memory, bytes, x, n, Negate{}));

  CHECK(cudaFree(memory));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return passed();
}
