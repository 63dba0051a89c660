// SPDX-License-Identifier: MIT
// The instruction mma of PTX in all its shapes, with the registers of the PTX manual, against a plain product.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

#include "verify.h"

// How elements are packed into registers: the first one has the lowest bits.
struct F16 {
  static constexpr int per_register = 2;
  static __device__ unsigned bits(int value) { return __half_as_ushort(__float2half(static_cast<float>(value))); }
};
struct Bf16 {
  static constexpr int per_register = 2;
  static __device__ unsigned bits(int value) {
    return __bfloat16_as_ushort(__float2bfloat16(static_cast<float>(value)));
  }
};
struct Tf32 {
  static constexpr int per_register = 1;
  static __device__ unsigned bits(int value) {
    unsigned rounded = 0;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(static_cast<float>(value) * (1 + 1.0F / 16384)));
    return rounded | 5;  // the lowest 13 bits are ignored
  }
};
template <int bit_count>
struct Integer {
  static constexpr int per_register = 32 / bit_count;
  static __device__ unsigned bits(int value) { return static_cast<unsigned>(value) & ((1U << bit_count) - 1U); }
};
using Int8 = Integer<8>;
using Int4 = Integer<4>;

/// The shape of an instruction, and how many registers a thread has.
template <int rows, int depth, class ElementType, class ResultType>
struct Shape {
  static constexpr int m = rows, n = 8, k = depth;
  using Element = ElementType;
  using Result = ResultType;
  static constexpr int results = m * n / 32;
  static constexpr int a_registers = m * k / 32 / Element::per_register;
  static constexpr int b_registers = n * k / 32 / Element::per_register;
};

// d = a b + d
struct F16K16 : Shape<16, 16, F16, float> {
  static __device__ void mma(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct F16K8 : Shape<16, 8, F16, float> {
  static __device__ void mma(float (&d)[4], const unsigned (&a)[2], const unsigned (&b)[1]) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};
struct Bf16K16 : Shape<16, 16, Bf16, float> {
  static __device__ void mma(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
        "%2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct Bf16K8 : Shape<16, 8, Bf16, float> {
  static __device__ void mma(float (&d)[4], const unsigned (&a)[2], const unsigned (&b)[1]) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};
struct Tf32K8 : Shape<16, 8, Tf32, float> {
  static __device__ void mma(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct Tf32K4 : Shape<16, 4, Tf32, float> {
  static __device__ void mma(float (&d)[4], const unsigned (&a)[2], const unsigned (&b)[1]) {
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};
struct Int8K32 : Shape<16, 32, Int8, int> {
  static __device__ void mma(int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct Int8K16 : Shape<16, 16, Int8, int> {
  static __device__ void mma(int (&d)[4], const unsigned (&a)[2], const unsigned (&b)[1]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};
struct Int8Small : Shape<8, 16, Int8, int> {
  static __device__ void mma(int (&d)[2], const unsigned (&a)[1], const unsigned (&b)[1]) {
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(a[0]), "r"(b[0]));
  }
};
struct Int4K64 : Shape<16, 64, Int4, int> {
  static __device__ void mma(int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct Int4K32 : Shape<16, 32, Int4, int> {
  static __device__ void mma(int (&d)[4], const unsigned (&a)[2], const unsigned (&b)[1]) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};
struct Int4Small : Shape<8, 32, Int4, int> {
  static __device__ void mma(int (&d)[2], const unsigned (&a)[1], const unsigned (&b)[1]) {
    asm volatile("mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(a[0]), "r"(b[0]));
  }
};

/// Values of one digit, so that all types have them.
__host__ __device__ int value_of_a(int row, int column) { return (5 * row + 3 * column + row * column) % 7 - 3; }
__host__ __device__ int value_of_b(int row, int column) { return (2 * row + column + 3 * row * column) % 5 - 2; }
__host__ __device__ int value_of_c(int row, int column) { return row - 2 * column; }

template <class Instruction>
__global__ void multiply(typename Instruction::Result* out) {
  constexpr int run = Instruction::Element::per_register;
  constexpr int halves = Instruction::m / 8;  // of the rows of A
  const int group = threadIdx.x / 4, in_group = threadIdx.x % 4;
  unsigned a[Instruction::a_registers] = {};
  unsigned b[Instruction::b_registers] = {};
  for (int i = 0; i < Instruction::a_registers * run; ++i) {
    const int number = i / run;
    const int row = group + 8 * (number % halves);
    const int column = in_group * run + i % run + number / halves * 4 * run;
    a[number] |= Instruction::Element::bits(value_of_a(row, column)) << (32 / run * (i % run));
  }
  for (int i = 0; i < Instruction::b_registers * run; ++i) {
    const int row = in_group * run + i % run + i / run * 4 * run;
    b[i / run] |= Instruction::Element::bits(value_of_b(row, group)) << (32 / run * (i % run));
  }
  typename Instruction::Result d[Instruction::results];
  for (int i = 0; i < Instruction::results; ++i) d[i] = value_of_c(group + i / 2 * 8, in_group * 2 + i % 2);
  Instruction::mma(d, a, b);
  for (int i = 0; i < Instruction::results; ++i)
    out[(group + i / 2 * 8) * Instruction::n + in_group * 2 + i % 2] = d[i];
}

int expected(int row, int column, int depth) {
  int sum = value_of_c(row, column);
  for (int p = 0; p < depth; ++p) sum += value_of_a(row, p) * value_of_b(p, column);
  return sum;
}

template <class Instruction>
void test() {
  typename Instruction::Result* out = nullptr;
  CHECK(cudaMallocManaged(&out, Instruction::m * Instruction::n * sizeof *out));
  multiply<Instruction><<<1, 32>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < Instruction::m * Instruction::n; ++i) {
    const int wanted = expected(i / Instruction::n, i % Instruction::n, Instruction::k);
    if (out[i] != static_cast<typename Instruction::Result>(wanted))
      std::fprintf(stderr, "k = %d: element %d: %g, not %d\n", Instruction::k, i, static_cast<double>(out[i]), wanted);
    REQUIRE(out[i] == static_cast<typename Instruction::Result>(wanted));
  }
  CHECK(cudaFree(out));
}

/// Sums of type half, two in a register; doubles; single bits.
__global__ void others(float* halves, double* doubles, int* bits) {
  const int group = threadIdx.x / 4, in_group = threadIdx.x % 4;
  const auto pair = [](int first, int second) { return F16::bits(first) | F16::bits(second) << 16; };
  unsigned a[2], b, d[2];
  for (int i = 0; i < 2; ++i) {
    const int row = group + 8 * i, column = 2 * in_group;
    a[i] = pair(value_of_a(row, column), value_of_a(row, column + 1));
    d[i] = pair(value_of_c(row, column), value_of_c(row, column + 1));
  }
  b = pair(value_of_b(2 * in_group, group), value_of_b(2 * in_group + 1, group));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
               : "+r"(d[0]), "+r"(d[1])
               : "r"(a[0]), "r"(a[1]), "r"(b));
  for (int i = 0; i < 4; ++i) {
    const unsigned both = d[i / 2];
    halves[(group + i / 2 * 8) * 8 + 2 * in_group + i % 2] =
        __half2float(__ushort_as_half(static_cast<unsigned short>(i % 2 == 0 ? both : both >> 16)));
  }
  double sum[2] = {double(value_of_c(group, 2 * in_group)), double(value_of_c(group, 2 * in_group + 1))};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(sum[0]), "+d"(sum[1])
               : "d"(double(value_of_a(group, in_group))), "d"(double(value_of_b(in_group, group))));
  doubles[group * 8 + 2 * in_group] = sum[0];
  doubles[group * 8 + 2 * in_group + 1] = sum[1];
  int count[2] = {0, 1};
  asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+r"(count[0]), "+r"(count[1])
               : "r"(group == 3 ? ~0U : 0U), "r"(1U << in_group));
  bits[group * 8 + 2 * in_group] = count[0];
  bits[group * 8 + 2 * in_group + 1] = count[1];
}
void test_others() {
  float* halves = nullptr;
  double* doubles = nullptr;
  int* bits = nullptr;
  CHECK(cudaMallocManaged(&halves, 128 * sizeof(float)));
  CHECK(cudaMallocManaged(&doubles, 64 * sizeof(double)));
  CHECK(cudaMallocManaged(&bits, 64 * sizeof(int)));
  others<<<1, 32>>>(halves, doubles, bits);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i) REQUIRE(halves[i] == float(expected(i / 8, i % 8, 8)));
  for (int i = 0; i < 64; ++i) {
    REQUIRE(doubles[i] == double(expected(i / 8, i % 8, 4)));
    REQUIRE(bits[i] == (i / 8 == 3 ? 124 : 4) + i % 2);  // 4 of the 128 bits of a column are set
  }
}

/// Floating point numbers of 8 bits, which cards have from compute capability 8.9 on.
__global__ void eight_bits(float* out, int* available) {
#if __CUDA_ARCH__ >= 890
  const int group = threadIdx.x / 4, in_group = threadIdx.x % 4;
  const unsigned e4m3[4] = {0x00, 0x38, 0x40, 0x44}, e5m2[4] = {0x00, 0x3c, 0x40, 0x42};  // 0, 1, 2, 3
  const auto bits = [](const unsigned(&of)[4], int value) {
    return of[value < 0 ? -value : value] | (value < 0 ? 0x80U : 0U);
  };
  unsigned a[4] = {}, b[2] = {};
  for (int i = 0; i < 16; ++i)
    a[i / 4] |= bits(e4m3, value_of_a(group + i / 4 % 2 * 8, 4 * in_group + i % 4 + i / 8 * 16)) << (8 * (i % 4));
  for (int i = 0; i < 8; ++i)
    b[i / 4] |= bits(e5m2, value_of_b(4 * in_group + i % 4 + i / 4 * 16, group)) << (8 * (i % 4));
  float d[4];
  for (int i = 0; i < 4; ++i) d[i] = value_of_c(group + i / 2 * 8, in_group * 2 + i % 2);
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) out[(group + i / 2 * 8) * 8 + in_group * 2 + i % 2] = d[i];
  if (threadIdx.x == 0) *available = 1;
#endif
}
void test_eight_bits() {
  float* out = nullptr;
  int* available = nullptr;
  CHECK(cudaMallocManaged(&out, 128 * sizeof(float)));
  CHECK(cudaMallocManaged(&available, sizeof(int)));
  *available = 0;
  eight_bits<<<1, 32>>>(out, available);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 128 && *available == 1; ++i) REQUIRE(out[i] == float(expected(i / 8, i % 8, 32)));
}

/// The first instruction of this kind: lanes 0 to 3 and 16 to 19 have one product, the next ones another.
__global__ void quads(float* out) {
  const int within = threadIdx.x % 4, quad = threadIdx.x / 4 % 4, upper = threadIdx.x / 16;
  const int row = within + 4 * upper;
  unsigned a[2], b[2];
  for (int i = 0; i < 2; ++i) {
    a[i] = F16::bits(value_of_a(row + quad, 2 * i)) | F16::bits(value_of_a(row + quad, 2 * i + 1)) << 16;
    b[i] = F16::bits(value_of_b(2 * i, row)) | F16::bits(value_of_b(2 * i + 1, row)) << 16;
  }
  float d[8];
  for (int i = 0; i < 8; ++i) d[i] = 1;
  asm volatile(
      "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, "
      "{%0, %1, %2, %3, %4, %5, %6, %7};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 8; ++i) {
    const int d_row = within % 2 + i / 2 % 2 * 2 + 4 * upper, column = i / 4 * 4 + within / 2 * 2 + i % 2;
    out[quad * 64 + d_row * 8 + column] = d[i];
  }
}
void test_quads() {
  float* out = nullptr;
  CHECK(cudaMallocManaged(&out, 256 * sizeof(float)));
  quads<<<1, 32>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 256; ++i) {
    int sum = 1;
    for (int p = 0; p < 4; ++p) sum += value_of_a(i / 8 % 8 + i / 64, p) * value_of_b(p, i % 8);
    REQUIRE(out[i] == float(sum));
  }
}

/// Matrices of 8 x 8 elements: ldmatrix, as they are and transposed, and movmatrix.
__global__ void move(unsigned short* out) {
  __shared__ __align__(16) unsigned short tile[4][8][8];
  const unsigned lane = threadIdx.x;
  for (unsigned i = lane; i < 256; i += 32) tile[0][0][i] = static_cast<unsigned short>(i);
  __syncthreads();
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(tile[lane / 8][lane % 8]));
  unsigned r[4], turned[2], one, moved;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(turned[0]), "=r"(turned[1])
               : "r"(address));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1+128];" : "=r"(one) : "r"(address));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(r[1]));
#if __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(address), "r"(r[2]), "r"(r[3])
               : "memory");
  __syncwarp();
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16 {%0, %1}, [%2];" : "=r"(r[2]), "=r"(r[3]) : "r"(address));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(r[2]));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(r[3]));
#endif
  const unsigned all[8] = {r[0], r[1], r[2], r[3], turned[0], turned[1], one, moved};
  for (unsigned i = 0; i < 8; ++i) {
    out[(i * 32 + lane) * 2] = static_cast<unsigned short>(all[i]);
    out[(i * 32 + lane) * 2 + 1] = static_cast<unsigned short>(all[i] >> 16);
  }
}
void test_moves() {
  unsigned short* out = nullptr;
  CHECK(cudaMallocManaged(&out, 8 * 64 * sizeof *out));
  move<<<1, 32>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    const int transposed = i % 8 * 8 + i / 8;
    for (int matrix = 0; matrix < 4; ++matrix) REQUIRE(out[matrix * 64 + i] == matrix * 64 + i);
    REQUIRE(out[4 * 64 + i] == transposed && out[5 * 64 + i] == 64 + transposed);
    REQUIRE(out[6 * 64 + i] == 64 + i && out[7 * 64 + i] == 64 + transposed);
  }
}

int main() {
  test<F16K16>();
  test<F16K8>();
  test<Bf16K16>();
  test<Bf16K8>();
  test<Tf32K8>();
  test<Tf32K4>();
  test<Int8K32>();
  test<Int8K16>();
  test<Int8Small>();
  test<Int4K64>();
  test<Int4K32>();
  test<Int4Small>();
  test_others();
  test_eight_bits();
  test_quads();
  test_moves();
  return passed();
}
