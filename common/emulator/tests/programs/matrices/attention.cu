// SPDX-License-Identifier: MIT
// Fused attention: the weights of a warp's 16 queries stay in the registers in which mma leaves the scores, and the
// sums so far are scaled row by row.
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "verify.h"

constexpr int width = 64;    // of queries, keys and values
constexpr int queries = 64;  // 16 for each warp
constexpr int keys = 96;
constexpr int together = 16;  // keys

__device__ void mma(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ unsigned pack(float low, float high) {
  unsigned both = 0;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  return both;
}

__device__ unsigned pair_at(const __half* p) { return *reinterpret_cast<const unsigned*>(p); }

/// Over the four lanes that have a row.
__device__ float largest_of_row(float value) {
  value = fmaxf(value, __shfl_xor_sync(0xffffffffU, value, 1));
  return fmaxf(value, __shfl_xor_sync(0xffffffffU, value, 2));
}
__device__ float sum_of_row(float value) {
  value += __shfl_xor_sync(0xffffffffU, value, 1);
  return value + __shfl_xor_sync(0xffffffffU, value, 2);
}

__global__ void attend(const __half* q, const __half* k, const __half* v, float* out) {
  __shared__ __align__(16) __half values[together][width + 8];
  const int lane = threadIdx.x % 32, group = lane / 4, pair = lane % 4 * 2;
  const int row = threadIdx.x / 32 * 16 + group;
  unsigned query[width / 16][4];
  for (int i = 0; i < width / 16; ++i) {
    for (int r = 0; r < 4; ++r) query[i][r] = pair_at(q + (row + r % 2 * 8) * width + 16 * i + r / 2 * 8 + pair);
  }
  float result[width / 8][4] = {};
  float largest[2] = {-INFINITY, -INFINITY};
  float total[2] = {};
  for (int begin = 0; begin < keys; begin += together) {
    for (int i = threadIdx.x; i < together * width; i += blockDim.x)
      values[i / width][i % width] = v[begin * width + i];
    __syncthreads();
    float score[2][4] = {};  // of 8 keys each
    for (int half = 0; half < 2; ++half) {
      for (int i = 0; i < width / 16; ++i) {
        const __half* key = k + (begin + 8 * half + group) * width + 16 * i + pair;
        mma(score[half], query[i], pair_at(key), pair_at(key + 8));
      }
    }
    unsigned weight[4];
    for (int upper = 0; upper < 2; ++upper) {  // rows `group` and `group + 8`
      float new_largest = largest[upper];
      for (int half = 0; half < 2; ++half) {
        for (int i = 0; i < 2; ++i) new_largest = fmaxf(new_largest, score[half][2 * upper + i] * 0.125F);
      }
      new_largest = largest_of_row(new_largest);
      const float scale = expf(largest[upper] - new_largest);
      largest[upper] = new_largest;
      float sum = 0;
      for (int half = 0; half < 2; ++half) {
        float e[2];
        for (int i = 0; i < 2; ++i) sum += e[i] = expf(score[half][2 * upper + i] * 0.125F - new_largest);
        weight[upper + 2 * half] = pack(e[0], e[1]);
      }
      total[upper] = total[upper] * scale + sum_of_row(sum);
      for (auto& part : result) {
        for (int i = 0; i < 2; ++i) part[2 * upper + i] *= scale;
      }
    }
    for (int j = 0; j < width / 8; ++j) {
      unsigned b0 = 0, b1 = 0;
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                   : "=r"(b0), "=r"(b1)
                   : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&values[lane % 16][8 * j]))));
      mma(result[j], weight, b0, b1);
    }
    __syncthreads();
  }
  for (int j = 0; j < width / 8; ++j) {
    for (int i = 0; i < 4; ++i) out[(row + i / 2 * 8) * width + 8 * j + pair + i % 2] = result[j][i] / total[i / 2];
  }
}

int main() {
  __half *q = nullptr, *k = nullptr, *v = nullptr;
  float* out = nullptr;
  CHECK(cudaMallocManaged(&q, queries * width * sizeof *q));
  CHECK(cudaMallocManaged(&k, keys * width * sizeof *k));
  CHECK(cudaMallocManaged(&v, keys * width * sizeof *v));
  CHECK(cudaMallocManaged(&out, queries * width * sizeof *out));
  unsigned state = 1;
  const auto next = [&state] {
    state = state * 1664525U + 1013904223U;
    return __float2half(static_cast<float>(state >> 8) / 8388608.0F - 1.0F);  // from -1 to 1
  };
  for (int i = 0; i < queries * width; ++i) q[i] = next();
  for (int i = 0; i < keys * width; ++i) k[i] = next(), v[i] = next();
  attend<<<1, 2 * queries>>>(q, k, v, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < queries; ++i) {
    std::vector<double> weight(keys), expected(width);
    double total = 0;
    for (int j = 0; j < keys; ++j) {
      double score = 0;
      for (int p = 0; p < width; ++p)
        score += static_cast<double>(__half2float(q[i * width + p])) * __half2float(k[j * width + p]);
      total += weight[j] = std::exp(score / 8);
    }
    for (int j = 0; j < keys; ++j) {
      for (int p = 0; p < width; ++p) expected[p] += weight[j] / total * __half2float(v[j * width + p]);
    }
    for (int p = 0; p < width; ++p) REQUIRE(std::fabs(out[i * width + p] - expected[p]) < 1e-3);
  }
  return passed();
}
