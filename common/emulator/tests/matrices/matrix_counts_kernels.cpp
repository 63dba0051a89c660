// SPDX-License-Identifier: MIT
// Kernels whose memory requests for matrices are known. Compiled with the instrumentation.
#include "matrix_counts_kernels.h"

#include "kernels.h"
#include "mma.h"

using namespace nvcuda;

namespace {

/// Uses what was loaded, with one store.
template <class Fragment, class T>
void keep(const Fragment& fragment, T* out) {
  out[threadIdx.x] = static_cast<T>(fragment.x[0]);
}

}  // namespace

__global__ void load_halves(const float* memory, float* out, bool by_row) {
  const auto* const in = reinterpret_cast<const half*>(memory);
  if (by_row) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::load_matrix_sync(a, in, 32);
    keep(a, out);
  } else {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> a;
    wmma::load_matrix_sync(a, in, 32);
    keep(a, out);
  }
}
__global__ void store_floats(float* out, bool by_row) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 1.0F);
  wmma::store_matrix_sync(out, sum, 32, by_row ? wmma::mem_row_major : wmma::mem_col_major);
}
__global__ void load_bytes_by_column(const float* memory, float* out) {
  const auto* const in = reinterpret_cast<const signed char*>(memory);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::col_major> a;
  wmma::load_matrix_sync(a, in, 32);
  keep(a, out);
}
template <int pitch>
__global__ void load_shared_halves(float* out) {
  D2L_TEST_SHARED(tile, half[16 * pitch]);
  for (unsigned i = threadIdx.x; i < 16 * pitch / 2; i += 32) reinterpret_cast<unsigned*>(tile)[i] = 0;
  __syncwarp();
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::load_matrix_sync(b, tile, pitch);
  keep(b, out);
}
template __global__ void load_shared_halves<16>(float*);
template __global__ void load_shared_halves<24>(float*);
__global__ void load_shared_bytes(float* out) {
  D2L_TEST_SHARED(tile, signed char[256]);
  for (unsigned i = threadIdx.x; i < 64; i += 32) reinterpret_cast<unsigned*>(tile)[i] = 0;
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::load_matrix_sync(a, tile, 16);
  keep(a, out);
}
__global__ void load_few_rows(float* out) {
  D2L_TEST_SHARED(tile, half[16 * 8]);
  for (unsigned i = threadIdx.x; i < 64; i += 32) reinterpret_cast<unsigned*>(tile)[i] = 0;
  __syncwarp();
  unsigned registers[2];
  d2l::emulator::ptx::load_matrices(2, true, registers, tile + threadIdx.x % 16 * 8);
  out[threadIdx.x] = static_cast<float>(registers[0] + registers[1]);
}
__global__ void multiply_often(float* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(a, __float2half(1.0F));
  wmma::fill_fragment(b, __float2half(1.0F));
  wmma::fill_fragment(sum, 0.0F);
  for (int i = 0; i < 3; ++i) wmma::mma_sync(sum, a, b, sum);
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> wide_a;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> wide_b;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> wide_sum;
  wmma::fill_fragment(wide_a, 1.0);
  wmma::fill_fragment(wide_b, 1.0);
  wmma::fill_fragment(wide_sum, 0.0);
  if (threadIdx.x < 32) wmma::mma_sync(wide_sum, wide_a, wide_b, wide_sum);
  out[threadIdx.x] = sum.x[0] + static_cast<float>(wide_sum.x[0]);
}
