// Half precision and bfloat16: conversions in each direction, comparisons with NaN, and results that are rounded once.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "verify.h"

__global__ void convert(float a, float* halves, float* bfloat16s) {
  halves[0] = __half2float(__float2half_rn(a));
  halves[1] = __half2float(__float2half_rz(a));
  halves[2] = __half2float(__float2half_ru(a));
  halves[3] = __half2float(__float2half_rd(a));
  bfloat16s[0] = __bfloat162float(__float2bfloat16_rn(a));
  bfloat16s[1] = __bfloat162float(__float2bfloat16_rz(a));
  bfloat16s[2] = __bfloat162float(__float2bfloat16_ru(a));
  bfloat16s[3] = __bfloat162float(__float2bfloat16_rd(a));
}

void verify_directions(float a, float halves[4], float bfloat16s[4], const char* what) {
  float* results;
  cudaMallocManaged(&results, 8 * sizeof(float));
  convert<<<1, 1>>>(a, results, results + 4);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) verify(results[i] == halves[i] && results[4 + i] == bfloat16s[i], what);
  cudaFree(results);
}

__global__ void integers(long long* results) {
  results[0] = __half2int_rn(2.5f);
  results[1] = __half2int_ru(__float2half(2.25f));
  results[2] = __half2int_rd(__float2half(-2.25f));
  results[3] = __bfloat162int_rz(__float2bfloat16(-2.75f));
  results[4] = __bfloat162short_rn(__float2bfloat16(1e9f));
  results[5] = __half2uint_rz(__float2half(-3.0f));
  results[6] = __half2char_rz(__float2half(200.0f));
  results[7] = static_cast<long long>(__half2float(__int2half_rz(2051)));
  results[8] = static_cast<long long>(__bfloat162float(__ll2bfloat16_ru(257)));
  results[9] = __half2int_rz(__ushort_as_half(0x7E00));
}

__global__ void arithmetic(bool* right) {
  const __half nan = __ushort_as_half(0x7E00);
  const __half one = __float2half(1.0f);
  right[0] = !__hne(nan, one) && __hneu(nan, one) && !__hlt(nan, one) && __hltu(nan, one) && nan != one;
  right[1] = __hmax(nan, one) == one && __hisnan(__hmax_nan(nan, one)) && __hisnan(__hmin_nan(one, nan));
  right[2] = __heq2_mask(__halves2half2(one, nan), __halves2half2(one, nan)) == 0x0000FFFFu;
  right[3] = __hbgeu2(__halves2half2(one, nan), __halves2half2(one, one)) &&
             !__hbge2(__halves2half2(one, nan), __halves2half2(one, one));
  right[4] = __hfma_sat(one, one, one) == one && __hfma_relu(one, one, __float2half(-2.0f)) == __float2half(0.0f);
  right[5] = __hsub_sat(one, __float2half(2.0f)) == __float2half(0.0f);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  // The product is half way between two numbers; in double precision, the sum is, too.
  right[6] = __bfloat162float(__hfma(__float2bfloat16(1.0f + exp2f(-7.0f)), __float2bfloat16(1.5f),
                                     __float2bfloat16(-exp2f(-100.0f)))) == 1.5078125f;
#else
  right[6] = true;
#endif
  const __half2 product =
      __hcmadd(__floats2half2_rn(1.0f, 2.0f), __floats2half2_rn(3.0f, 4.0f), __floats2half2_rn(10.0f, 20.0f));
  right[7] = __low2float(product) == 5.0f && __high2float(product) == 30.0f;
  right[8] =
      __low2float(__lows2bfloat162(__floats2bfloat162_rn(1.0f, 2.0f), __floats2bfloat162_rn(3.0f, 4.0f))) == 1.0f;
}

int main() {
  const float half_step = exp2f(-10.0f), bfloat16_step = exp2f(-7.0f);
  float above[] = {1.0f, 1.0f, 1.0f + half_step, 1.0f};
  float above_bfloat16[] = {1.0f, 1.0f, 1.0f + bfloat16_step, 1.0f};
  verify_directions(1.0f + exp2f(-20.0f), above, above_bfloat16, "above 1");
  float below[] = {-1.0f, -1.0f, -1.0f, -1.0f - half_step};
  float below_bfloat16[] = {-1.0f, -1.0f, -1.0f, -1.0f - bfloat16_step};
  verify_directions(-1.0f - exp2f(-20.0f), below, below_bfloat16, "below -1");
  float large[] = {INFINITY, 65504.0f, INFINITY, 65504.0f};
  float large_bfloat16[] = {1e6f - 576.0f, 1e6f - 576.0f, 1e6f + 3520.0f, 1e6f - 576.0f};
  verify_directions(1e6f, large, large_bfloat16, "too large");
  float small[] = {0.0f, 0.0f, exp2f(-24.0f), 0.0f};
  float small_bfloat16[] = {exp2f(-40.0f), exp2f(-40.0f), exp2f(-40.0f), exp2f(-40.0f)};
  verify_directions(exp2f(-40.0f), small, small_bfloat16, "too small");

  long long* numbers;
  cudaMallocManaged(&numbers, 10 * sizeof(long long));
  integers<<<1, 1>>>(numbers);
  cudaDeviceSynchronize();
  const long long expected[] = {2, 3, -3, -2, 32767, 0, 127, 2050, 258, 0};
  for (int i = 0; i < 10; ++i) verify(numbers[i] == expected[i], "integers");
  bool* right;
  cudaMallocManaged(&right, 9);
  arithmetic<<<1, 1>>>(right);
  cudaDeviceSynchronize();
  for (int i = 0; i < 9; ++i) verify(right[i], "arithmetic");
  return passed();
}
