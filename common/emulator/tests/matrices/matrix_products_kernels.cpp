// SPDX-License-Identifier: MIT
// Products whose rounding is known.
#include "matrix_products_kernels.h"

#include "kernels.h"
#include "mma.h"

using namespace nvcuda;

namespace {

template <class T>
using FactorA = wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major>;
template <class T>
using FactorB = wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major>;
template <class T>
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, T>;

template <class T, class S>
void add(float a, float b, float c, float* out) {
  FactorA<T> first;
  FactorB<T> second;
  Sum<S> sum;
  wmma::fill_fragment(first, T(a));
  wmma::fill_fragment(second, T(b));
  wmma::fill_fragment(sum, S(c));
  wmma::mma_sync(sum, first, second, sum);
  out[threadIdx.x] = static_cast<float>(sum.x[7]);
}

}  // namespace

__global__ void add_products(Types types, float a, float b, float c, float* out) {
  if (types == Types::half_float) add<half, float>(a, b, c, out);
  if (types == Types::half_half) add<half, half>(a, b, c, out);
  if (types == Types::bfloat16_float) add<__nv_bfloat16, float>(a, b, c, out);
}

__global__ void add_in_order(const float* numbers, float* out) {
  D2L_TEST_SHARED(rows, half[256]);
  for (unsigned i = threadIdx.x; i < 256; i += 32) rows[i] = half(numbers[i % 16]);
  __syncwarp();
  FactorA<half> first;
  FactorB<half> second;
  Sum<float> sum;
  wmma::load_matrix_sync(first, rows, 16);
  wmma::fill_fragment(second, half(256.0F));
  wmma::fill_fragment(sum, 1.0F);
  wmma::mma_sync(sum, first, second, sum);
  out[threadIdx.x] = sum.x[0];
}
