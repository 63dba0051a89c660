// SPDX-License-Identifier: MIT
// Qualifiers, vector types, and functions of floating point.
#include <cmath>

#include "verify.h"

__host__ __device__ __forceinline__ float square(float x) { return x * x; }

__device__ __noinline__ bool near(double found, double expected) {
  return fabs(found - expected) <= 1e-5 * fabs(expected);
}

__global__ void __launch_bounds__(128) lengths(const float4* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = x[i];
  y[i] = sqrtf(square(v.x) + square(v.y) + square(v.z) + square(v.w));
}

__global__ void vectors(int* errors) {
  const float4 a = make_float4(1, 2, 3, 4);
  const int2 b = make_int2(5, 6);
  const double2 c = make_double2(0.5, 0.25);
  const uchar4 d = make_uchar4(1, 2, 3, 255);
  const float3 e = make_float3(7, 8, 9);
  *errors += a.w != 4 || b.y != 6 || c.y != 0.25 || d.w != 255 || e.z != 9;
  *errors += sizeof(float3) != 12 || alignof(float4) != 16 || sizeof(double2) != 16 || sizeof(short4) != 8;
}

__global__ void functions(int* errors) {
  const float x = 0.75F;
  *errors += !near(expf(x), 2.117000) + !near(__expf(x), 2.117000) + !near(rsqrtf(x), 1.1547005);
  *errors += !near(fmaf(x, 2, 1), 2.5) + (fminf(x, 1) != x) + (fmaxf(x, 1) != 1);
  *errors += !near(logf(x), -0.28768207) + !near(__logf(x), -0.28768207) + !near(powf(x, 3), 0.421875);
  *errors += !near(sinf(x), 0.68163876) + !near(cosf(x), 0.73168887) + !near(tanhf(x), 0.63514895);
  *errors += !near(__fdividef(x, 3), 0.25) + !near(exp(0.75), 2.1170000166) + (__float2int_rn(2.5F) != 2);
  *errors += (__saturatef(1.5F) != 1) + (__int_as_float(0x3f800000) != 1) + !near(erff(x), 0.71115563);
}

int main() {
  constexpr int n = 1000;
  float4* x;
  float* y;
  int* errors;
  CHECK(cudaMallocManaged(&x, n * sizeof(float4)));
  CHECK(cudaMallocManaged(&y, n * sizeof(float)));
  CHECK(cudaMallocManaged(&errors, sizeof(int)));
  for (int i = 0; i < n; ++i) x[i] = make_float4(i, 0, i, static_cast<float>(i) * std::sqrt(2.0F));
  *errors = 0;
  lengths<<<(n + 127) / 128, 128>>>(x, y, n);
  vectors<<<1, 1>>>(errors);
  functions<<<1, 1>>>(errors);
  CHECK(cudaDeviceSynchronize());
  REQUIRE(*errors == 0 && square(3) == 9);
  for (int i = 0; i < n; ++i) REQUIRE(std::abs(y[i] - 2.0F * i) <= 1e-3F * i);
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  CHECK(cudaFree(errors));
  return passed();
}
