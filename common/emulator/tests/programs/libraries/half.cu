// Half precision and bfloat16: conversions, pairs, intrinsics, shuffles and atomics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "verify.h"

template <class T>
__global__ void scale(T* data, T factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * factor + T(1.0f);
}

__global__ void add_pairs(const half2* a, const half2* b, half2* sum, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) sum[i] = __hfma2(a[i], __float2half2_rn(2.0f), b[i]);
}

__global__ void dot(const __half* a, const __half* b, float* result, __half* half_sum, int n) {
  __shared__ __half products[128];
  const int i = threadIdx.x;
  products[i] = i < n ? __hmul(a[i], b[i]) : __float2half(0.0f);
  __syncthreads();
  float sum = __half2float(products[i]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (i % 32 == 0) {
    atomicAdd(result, sum);
    atomicAdd(half_sum, __float2half(sum));
  }
}

int main() {
  // rounding to nearest even, subnormal numbers, infinity
  verify(__half2float(__float2half(1.0f + 1.0f / 2048)) == 1.0f, "ties round to even");
  verify(__half2float(__float2half(1.0f + 3.0f / 2048)) == 1.0f + 4.0f / 2048, "ties round to even");
  verify(__half2float(__float2half(5.9604645e-8f)) == 5.9604645e-8f, "the smallest subnormal number");
  verify(isinf(__half2float(__float2half(70000.0f))), "large numbers become infinity");
  verify(__half_as_ushort(__float2half(-2.0f)) == 0xC000, "bits");
  verify(__bfloat162float(__float2bfloat16(3.14159f)) == 3.140625f, "bfloat16");

  constexpr int n = 128;
  __half *a, *b;
  __nv_bfloat16* c;
  float* result;
  __half* half_sum;
  cudaMallocManaged(&a, n * sizeof(__half));
  cudaMallocManaged(&b, n * sizeof(__half));
  cudaMallocManaged(&c, n * sizeof(__nv_bfloat16));
  cudaMallocManaged(&result, sizeof(float));
  cudaMallocManaged(&half_sum, sizeof(__half));
  *result = 0;
  *half_sum = __float2half(0.0f);
  for (int i = 0; i < n; ++i) {
    a[i] = __float2half(i % 8);
    b[i] = 0.5f;
    c[i] = __float2bfloat16(i);
  }
  dot<<<1, n>>>(a, b, result, half_sum, n);
  scale<<<1, n>>>(c, __float2bfloat16(0.5f), n);
  cudaDeviceSynchronize();
  verify(*result == 224.0f && __half2float(*half_sum) == 224.0f, "a dot product of halves");
  verify(__bfloat162float(c[100]) == 51.0f, "arithmetic of bfloat16");
  add_pairs<<<1, n>>>(reinterpret_cast<half2*>(a), reinterpret_cast<half2*>(b), reinterpret_cast<half2*>(a), n / 2);
  cudaDeviceSynchronize();
  const float2 pair = __half22float2(reinterpret_cast<half2*>(a)[3]);
  verify(pair.x == 12.5f && pair.y == 14.5f && a[0] < a[1] && float(a[1]) == 2.5f, "pairs");
  return passed();
}
