// SPDX-License-Identifier: MIT
// A file for the host's compiler: it has the runtime and the qualifiers, and functions of its own with the names of
// functions of the device.
#include <cuda_runtime_api.h>

#include "../verify.h"
#include "negate.h"

#ifdef __CUDACC__
#error "nvcc gives this file to the host's compiler"
#endif

inline float rsqrtf(float x) { return x; }
inline int max(int a, int b) { return a < b ? b : a; }
static __host__ __device__ __forceinline__ int twice(int x) { return 2 * x; }
struct __align__(16) Aligned {
  float x;
};
__global__ void declared_only(float* x);
float total(const float* x, int n);  // in a file without a header of CUDA

int main() {
  static_assert(alignof(Aligned) == 16);
  float h[100], *x = nullptr;
  for (int i = 0; i < 100; ++i) h[i] = static_cast<float>(i);
  CHECK(cudaMalloc(reinterpret_cast<void**>(&x), sizeof h));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  launch_negate(x, 100);
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 100; ++i) REQUIRE(h[i] == negated(static_cast<float>(i)));
  REQUIRE(total(h, 100) == -4950);
  REQUIRE(max(1, twice(2)) == 4 && rsqrtf(3) == 3);
  const float4 vector = {1, 2, 3, 4};
  REQUIRE(vector.w == 4);
  CHECK(cudaFree(x));
  return passed();
}
