// SPDX-License-Identifier: MIT
// Tensor cores by mma.h: products of all types, shapes and layouts against a plain product on the host.
#include <mma.h>

#include <cstdint>
#include <vector>

#include "verify.h"

using namespace nvcuda;

template <class T>
struct Stored {  // how memory and fragments have the elements
  using type = T;
};
template <>
struct Stored<wmma::precision::tf32> {
  using type = float;
};

/// One warp computes one tile of D = A B + C. Shared memory, if wanted, has the tiles of A and B.
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class C, class D>
__global__ void multiply(const typename Stored<T>::type* a, int lda, const typename Stored<T>::type* b, int ldb,
                         const C* c, D* d, int ldd, int depth, bool by_row, bool staged) {
  using Element = typename Stored<T>::type;
  constexpr bool rows_a = std::is_same<LayoutA, wmma::row_major>::value;
  constexpr bool rows_b = std::is_same<LayoutB, wmma::row_major>::value;
  constexpr int pad = 16 / sizeof(Element);
  constexpr int ldsa = (rows_a ? k : m) + pad;
  constexpr int ldsb = (rows_b ? n : k) + pad;
  __shared__ __align__(32) Element tile_a[(rows_a ? m : k) * ldsa];
  __shared__ __align__(32) Element tile_b[(rows_b ? k : n) * ldsb];
  const int row = blockIdx.y * m;
  const int column = blockIdx.x * n;
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> part_a;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> part_b;
  wmma::fragment<wmma::accumulator, m, n, k, C> sum;
  wmma::fragment<wmma::accumulator, m, n, k, D> result;
  const auto layout = by_row ? wmma::mem_row_major : wmma::mem_col_major;
  const int place = by_row ? row * ldd + column : row + column * ldd;
  wmma::load_matrix_sync(sum, c + place, ldd, layout);
  for (int at = 0; at < depth; at += k) {
    const Element* from_a = a + (rows_a ? row * lda + at : row + at * lda);
    const Element* from_b = b + (rows_b ? at * ldb + column : at + column * ldb);
    if (staged) {
      for (int i = threadIdx.x; i < m * k; i += 32) {
        const int major = i / (rows_a ? k : m), minor = i % (rows_a ? k : m);
        tile_a[major * ldsa + minor] = from_a[major * lda + minor];
      }
      for (int i = threadIdx.x; i < n * k; i += 32) {
        const int major = i / (rows_b ? n : k), minor = i % (rows_b ? n : k);
        tile_b[major * ldsb + minor] = from_b[major * ldb + minor];
      }
      __syncwarp();
      wmma::load_matrix_sync(part_a, tile_a, ldsa);
      wmma::load_matrix_sync(part_b, tile_b, ldsb);
      __syncwarp();
    } else {
      wmma::load_matrix_sync(part_a, from_a, lda);
      wmma::load_matrix_sync(part_b, from_b, ldb);
    }
    wmma::mma_sync(result, part_a, part_b, sum);
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = static_cast<C>(result.x[i]);
  }
  wmma::store_matrix_sync(d + place, result, ldd, layout);
}

template <class T>
T* device_copy(const std::vector<T>& from) {
  T* memory = nullptr;
  CHECK(cudaMalloc(&memory, from.size() * sizeof(T)));
  CHECK(cudaMemcpy(memory, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

/// Small integers, so that all types hold the results exactly.
int value_at(int i, int j, bool is_signed) { return (7 * i + 3 * j + i * j) % 7 - (is_signed ? 3 : 0); }

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class C, class D>
void test(bool by_row, bool staged) {
  using Element = typename Stored<T>::type;
  constexpr bool rows_a = std::is_same<LayoutA, wmma::row_major>::value;
  constexpr bool rows_b = std::is_same<LayoutB, wmma::row_major>::value;
  constexpr bool is_signed = !std::is_same<T, unsigned char>::value;
  const int rows = 2 * m, columns = 3 * n, depth = 2 * k;
  const int lda = (rows_a ? depth : rows) + 32, ldb = (rows_b ? columns : depth) + 16;
  const int ldd = (by_row ? columns : rows) + 8;
  std::vector<Element> a((rows_a ? rows : depth) * lda, Element(9.0F));
  std::vector<Element> b((rows_b ? depth : columns) * ldb, Element(9.0F));
  std::vector<C> c((by_row ? rows : columns) * ldd, C(9.0F));
  std::vector<D> d(c.size(), D(5.0F));
  for (int i = 0; i < rows; ++i) {
    for (int p = 0; p < depth; ++p) a[rows_a ? i * lda + p : i + p * lda] = Element(float(value_at(i, p, is_signed)));
  }
  for (int p = 0; p < depth; ++p) {
    for (int j = 0; j < columns; ++j)
      b[rows_b ? p * ldb + j : p + j * ldb] = Element(float(value_at(j + 1, 2 * p, is_signed)));
  }
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) c[by_row ? i * ldd + j : i + j * ldd] = C(float(i - j));
  }
  Element* const device_a = device_copy(a);
  Element* const device_b = device_copy(b);
  C* const device_c = device_copy(c);
  D* const device_d = device_copy(d);
  multiply<m, n, k, T, LayoutA, LayoutB, C, D><<<dim3(columns / n, rows / m), 32>>>(
      device_a, lda, device_b, ldb, device_c, device_d, ldd, depth, by_row, staged);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(d.data(), device_d, d.size() * sizeof(D), cudaMemcpyDeviceToHost));
  for (int i = 0; i < (by_row ? rows : columns); ++i) {
    for (int j = 0; j < ldd; ++j) {
      const int row = by_row ? i : j, column = by_row ? j : i;
      double expected = 5;  // unused places stay as they are
      if (row < rows && column < columns) {
        expected = row - column;
        for (int p = 0; p < depth; ++p)
          expected += double(value_at(row, p, is_signed)) * value_at(column + 1, 2 * p, is_signed);
      }
      const double got = double(static_cast<float>(d[i * ldd + j]));
      if (got != expected)
        std::fprintf(stderr, "%dx%dx%d: row %d, column %d: %g, not %g\n", m, n, k, row, column, got, expected);
      REQUIRE(got == expected);
    }
  }
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  CHECK(cudaFree(device_d));
}

template <int m, int n, int k, class T, class C, class D>
void test_layouts() {
  for (const bool by_row : {true, false}) {
    for (const bool staged : {true, false}) {
      test<m, n, k, T, wmma::row_major, wmma::row_major, C, D>(by_row, staged);
      test<m, n, k, T, wmma::row_major, wmma::col_major, C, D>(by_row, staged);
      test<m, n, k, T, wmma::col_major, wmma::row_major, C, D>(by_row, staged);
      test<m, n, k, T, wmma::col_major, wmma::col_major, C, D>(by_row, staged);
    }
  }
}
template <class T, class C, class D>
void test_shapes() {
  test_layouts<16, 16, 16, T, C, D>();
  test_layouts<32, 8, 16, T, C, D>();
  test_layouts<8, 32, 16, T, C, D>();
}

template <int m, int n, class T>
constexpr int elements_of_a = wmma::fragment<wmma::matrix_a, m, n, 16, T, wmma::row_major>::num_elements;
static_assert(elements_of_a<16, 16, half> == 16 && elements_of_a<8, 32, half> == 16, "");
static_assert(elements_of_a<32, 8, __nv_bfloat16> == 16 && elements_of_a<8, 32, __nv_bfloat16> == 4, "");
static_assert(elements_of_a<16, 16, signed char> == 8 && elements_of_a<8, 32, unsigned char> == 4, "");

/// Element i of lane l is where the documented layout of mma.m16n8k16 has it, twice side by side.
__global__ void places(float* out) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = float(threadIdx.x * 8 + i);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
void test_places() {
  float* out = nullptr;
  CHECK(cudaMallocManaged(&out, 256 * sizeof(float)));
  places<<<1, 32>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 8; ++i) {
      const int row = lane / 4 + i / 2 % 2 * 8, column = lane % 4 * 2 + i % 2 + i / 4 * 8;
      REQUIRE(out[row * 16 + column] == float(lane * 8 + i));
    }
  }
  CHECK(cudaFree(out));
}

/// Sums beyond the range of int wrap around, or become the nearest int.
__global__ void saturate(const signed char* ones, int* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum, result;
  wmma::load_matrix_sync(a, ones, 16);
  wmma::fill_fragment(b, 1);
  wmma::fill_fragment(sum, 0x7fffffff);
  wmma::mma_sync(result, a, b, sum);
  if (threadIdx.x == 0) out[0] = result.x[0];
  wmma::mma_sync(result, a, b, sum, true);
  if (threadIdx.x == 0) out[1] = result.x[0];
}

__global__ void round_to_tf32(const float* in, float* out) {
  out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]);
}

/// Elements of 4 bits and of one bit.
__global__ void narrow(const unsigned* a, const unsigned* b, int* out) {
  namespace experimental = wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 32, experimental::precision::s4, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 8, 8, 32, experimental::precision::s4, wmma::col_major> part_b;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;
  wmma::load_matrix_sync(part_a, a, 32);
  wmma::load_matrix_sync(part_b, b, 32);
  wmma::fill_fragment(sum, 0);
  wmma::mma_sync(sum, part_a, part_b, sum);
  wmma::store_matrix_sync(out, sum, 8, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 8, 8, 128, experimental::precision::b1, wmma::row_major> bits_a;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, experimental::precision::b1, wmma::col_major> bits_b;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> count;
  wmma::load_matrix_sync(bits_a, a, 128);
  wmma::load_matrix_sync(bits_b, b, 128);
  wmma::fill_fragment(count, 1);
  wmma::bmma_sync(count, bits_a, bits_b, count);
  wmma::store_matrix_sync(out + 64, count, 8, wmma::mem_row_major);
  wmma::fill_fragment(count, 0);
  wmma::bmma_sync(count, bits_a, bits_b, count, experimental::bmmaBitOpAND);
  wmma::store_matrix_sync(out + 128, count, 8, wmma::mem_row_major);
}
void test_narrow() {
  unsigned *a = nullptr, *b = nullptr;
  int* out = nullptr;
  CHECK(cudaMallocManaged(&a, 32 * sizeof(unsigned)));
  CHECK(cudaMallocManaged(&b, 32 * sizeof(unsigned)));
  CHECK(cudaMallocManaged(&out, 192 * sizeof(int)));
  for (unsigned i = 0; i < 32; ++i) a[i] = i * 2654435761U, b[i] = (i + 99) * 2246822519U;
  narrow<<<1, 32>>>(a, b, out);
  CHECK(cudaDeviceSynchronize());
  const auto part = [](const unsigned* from, int i) {
    const int value = from[i / 8] >> (i % 8 * 4) & 15;
    return value < 8 ? value : value - 16;
  };
  const auto bit = [](const unsigned* from, int i) { return int(from[i / 32] >> (i % 32) & 1); };
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      int sum = 0, different = 0, both = 0;
      for (int p = 0; p < 32; ++p) sum += part(a, i * 32 + p) * part(b, j * 32 + p);
      for (int p = 0; p < 128; ++p) {
        different += bit(a, i * 128 + p) ^ bit(b, j * 128 + p);
        both += bit(a, i * 128 + p) & bit(b, j * 128 + p);
      }
      REQUIRE(out[i * 8 + j] == sum && out[64 + i * 8 + j] == 1 + different && out[128 + i * 8 + j] == both);
    }
  }
}

int main() {
  test_shapes<half, float, float>();
  test_shapes<half, half, half>();
  test_layouts<16, 16, 16, half, float, half>();
  test_layouts<16, 16, 16, half, half, float>();
  test_shapes<__nv_bfloat16, float, float>();
  test_shapes<signed char, int, int>();
  test_shapes<unsigned char, int, int>();
  test_layouts<16, 16, 8, wmma::precision::tf32, float, float>();
  test_layouts<8, 8, 4, double, double, double>();
  test_places();
  test_narrow();

  signed char* ones = nullptr;
  int* out = nullptr;
  CHECK(cudaMallocManaged(&ones, 256));
  CHECK(cudaMallocManaged(&out, 2 * sizeof(int)));
  for (int i = 0; i < 256; ++i) ones[i] = 1;
  saturate<<<1, 32>>>(ones, out);
  CHECK(cudaDeviceSynchronize());
  REQUIRE(out[0] == static_cast<int>(0x7fffffffU + 16U) && out[1] == 0x7fffffff);

  float* numbers = nullptr;
  CHECK(cudaMallocManaged(&numbers, 8 * sizeof(float)));
  const float step = 1.0F / 1024;  // between the numbers from 1 to 2
  numbers[0] = 1 + step / 2, numbers[1] = 1 + step * 0.499F, numbers[2] = -1 - step * 1.5F, numbers[3] = 3e38F;
  round_to_tf32<<<1, 4>>>(numbers, numbers + 4);
  CHECK(cudaDeviceSynchronize());
  REQUIRE(numbers[4] == 1 + step && numbers[5] == 1 && numbers[6] == -1 - 2 * step && numbers[7] > 2.99e38F);
  return passed();
}
