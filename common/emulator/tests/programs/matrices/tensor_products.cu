// SPDX-License-Identifier: MIT
// A product of matrices as libraries write it: copies to two buffers in shared memory, ldmatrix, and mma. Beside it the
// same product with mma.h.
#include <cuda_fp16.h>
#include <mma.h>

#include <vector>

#include "verify.h"

constexpr int tile = 64;           // rows and columns of a block
constexpr int step = 32;           // columns of A at once
constexpr int pitch_a = step + 8;  // of a row in shared memory, so that eight rows are in different banks
constexpr int pitch_b = tile + 8;

struct Buffers {
  __half a[2][tile][pitch_a];
  __half b[2][step][pitch_b];
};

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void copy16(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(shared_address(to)), "l"(from) : "memory");
}

/// 128 threads begin to copy a tile of A and one of B.
__device__ void begin_copies(Buffers& buffers, int buffer, const __half* a, const __half* b, int n, int k, int at) {
  for (int i = threadIdx.x; i < tile * step / 8; i += 128) {
    const int row = i / (step / 8), column = i % (step / 8) * 8;
    copy16(&buffers.a[buffer][row][column], a + (blockIdx.y * tile + row) * k + at + column);
  }
  for (int i = threadIdx.x; i < step * tile / 8; i += 128) {
    const int row = i / (tile / 8), column = i % (tile / 8) * 8;
    copy16(&buffers.b[buffer][row][column], b + (at + row) * n + blockIdx.x * tile + column);
  }
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}

__global__ void product(const __half* a, const __half* b, float* c, int n, int k) {
  __shared__ __align__(16) Buffers buffers;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int warp_row = warp / 2 * 32, warp_column = warp % 2 * 32;
  float sum[2][4][4] = {};
  begin_copies(buffers, 0, a, b, n, k, 0);
  for (int at = 0; at < k; at += step) {
    const int buffer = at / step % 2;
    if (at + step < k) {
      begin_copies(buffers, 1 - buffer, a, b, n, k, at + step);
      asm volatile("cp.async.wait_group 1;\n" ::: "memory");
    } else {
      asm volatile("cp.async.wait_group 0;\n" ::: "memory");
    }
    __syncthreads();
    for (int inner = 0; inner < step; inner += 16) {
      unsigned part_a[2][4], part_b[4][2];
      for (int i = 0; i < 2; ++i) {
        const void* row = &buffers.a[buffer][warp_row + 16 * i + lane % 16][inner + lane / 16 * 8];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                     : "=r"(part_a[i][0]), "=r"(part_a[i][1]), "=r"(part_a[i][2]), "=r"(part_a[i][3])
                     : "r"(shared_address(row)));
      }
      for (int j = 0; j < 2; ++j) {
        const void* row = &buffers.b[buffer][inner + lane % 16][warp_column + 16 * j + lane / 16 * 8];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                     : "=r"(part_b[2 * j][0]), "=r"(part_b[2 * j][1]), "=r"(part_b[2 * j + 1][0]),
                       "=r"(part_b[2 * j + 1][1])
                     : "r"(shared_address(row)));
      }
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 4; ++j) {
          float(&d)[4] = sum[i][j];
          asm volatile(
              "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
              "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};\n"
              : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
              : "r"(part_a[i][0]), "r"(part_a[i][1]), "r"(part_a[i][2]), "r"(part_a[i][3]), "r"(part_b[j][0]),
                "r"(part_b[j][1]), "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]));
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      const int row = blockIdx.y * tile + warp_row + 16 * i + lane / 4;
      const int column = blockIdx.x * tile + warp_column + 8 * j + lane % 4 * 2;
      *reinterpret_cast<float2*>(c + row * n + column) = make_float2(sum[i][j][0], sum[i][j][1]);
      *reinterpret_cast<float2*>(c + (row + 8) * n + column) = make_float2(sum[i][j][2], sum[i][j][3]);
    }
  }
}

/// One warp for each tile of 16 x 16, straight from global memory.
__global__ void product_by_fragments(const __half* a, const __half* b, float* c, int n, int k) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  const int row = 16 * blockIdx.y, column = 16 * blockIdx.x;
  wmma::fill_fragment(sum, 0.0F);
  for (int at = 0; at < k; at += 16) {
    wmma::load_matrix_sync(part_a, a + row * k + at, k);
    wmma::load_matrix_sync(part_b, b + at * n + column, n);
    wmma::mma_sync(sum, part_a, part_b, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

int main() {
  constexpr int m = 128, n = 192, k = 160;
  __half *a = nullptr, *b = nullptr;
  float *c = nullptr, *d = nullptr;
  CHECK(cudaMallocManaged(&a, m * k * sizeof *a));
  CHECK(cudaMallocManaged(&b, k * n * sizeof *b));
  CHECK(cudaMallocManaged(&c, m * n * sizeof *c));
  CHECK(cudaMallocManaged(&d, m * n * sizeof *d));
  const auto value_of_a = [](int i, int p) { return (i * 5 + p * 3 + i * p) % 9 - 4; };
  const auto value_of_b = [](int p, int j) { return (p * 7 + j + p * j) % 9 - 4; };
  for (int i = 0; i < m * k; ++i) a[i] = __float2half(static_cast<float>(value_of_a(i / k, i % k)));
  for (int i = 0; i < k * n; ++i) b[i] = __float2half(static_cast<float>(value_of_b(i / n, i % n)));
  product<<<dim3(n / tile, m / tile), 128>>>(a, b, c, n, k);
  product_by_fragments<<<dim3(n / 16, m / 16), 32>>>(a, b, d, n, k);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      int expected = 0;
      for (int p = 0; p < k; ++p) expected += value_of_a(i, p) * value_of_b(p, j);
      REQUIRE(c[i * n + j] == static_cast<float>(expected) && d[i * n + j] == static_cast<float>(expected));
    }
  }
  return passed();
}
