// SPDX-License-Identifier: MIT
// Atomic functions on the types that CUDA has them for, memory fences, and barriers that count.
#include "verify.h"

constexpr int threads = 64;

struct Results {
  int sum, difference, most, least, last, all_bits, any_bits, odd_bits;
  unsigned turns, back;
  unsigned long long wide, max_wide;
  float real;
  double wide_real;
  int found, locked;
};

__global__ void atomics(Results* r) {
  const int i = threadIdx.x;
  atomicAdd(&r->sum, i);
  atomicSub(&r->difference, i);
  atomicMax(&r->most, i * 7 % threads);
  atomicMin(&r->least, i * 7 % threads - 5);
  const int before = atomicExch(&r->last, i);
  atomicAdd(&r->found, before >= -1 && before < threads);
  atomicAnd(&r->all_bits, ~(1 << i % 8));
  atomicOr(&r->any_bits, 1 << i % 16);
  atomicXor(&r->odd_bits, 1 << i % 3);
  atomicInc(&r->turns, 9);
  atomicDec(&r->back, 9);
  atomicAdd(&r->wide, 1ULL << 33);
  atomicMax(&r->max_wide, static_cast<unsigned long long>(i) << 40);
  atomicAdd(&r->real, 0.5F);
  atomicAdd(&r->wide_real, 0.25);
}

/// A product by compare and swap, and a sum under a lock.
__global__ void compare_and_swap(int* product, int* lock, volatile int* sum) {
  int seen = *product;
  for (int expected = 0; expected != seen;) {
    expected = seen;
    seen = atomicCAS(product, expected, expected * 3 % 1000003);
  }
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    *sum = *sum + 1;
    __threadfence();
    atomicExch(lock, 0);
    done = true;
  }
  __threadfence_block();
  __threadfence_system();
}

__global__ void counting_barriers(int* errors) {
  const int i = threadIdx.x;
  int wrong = 0;
  wrong += __syncthreads_count(i % 4 == 0) != threads / 4;
  wrong += __syncthreads_and(i < threads) == 0;
  wrong += __syncthreads_and(i < threads - 1) != 0;
  wrong += __syncthreads_or(i == 3) == 0;
  wrong += __syncthreads_or(i == threads) != 0;
  atomicAdd(errors, wrong);
}

int main() {
  Results* r;
  CHECK(cudaMallocManaged(&r, sizeof(Results)));
  *r = Results{};
  r->last = r->all_bits = -1;
  atomics<<<1, threads>>>(r);
  CHECK(cudaDeviceSynchronize());
  REQUIRE(r->sum == 2016 && r->difference == -2016 && r->most == 63 && r->least == -5);
  REQUIRE(r->found == threads && r->last >= 0 && r->last < threads);
  REQUIRE(r->all_bits == ~0xff && r->any_bits == 0xffff && r->odd_bits == (1 << 1 | 1 << 2));
  REQUIRE(r->turns == threads % 10 && r->back == (10 - threads % 10) % 10);
  REQUIRE(r->wide == 64ULL << 33 && r->max_wide == 63ULL << 40 && r->real == 32 && r->wide_real == 16);

  int* words;
  CHECK(cudaMallocManaged(&words, 4 * sizeof(int)));
  words[0] = 1;
  words[1] = words[2] = words[3] = 0;
  compare_and_swap<<<2, 16>>>(&words[0], &words[1], &words[2]);
  counting_barriers<<<3, threads>>>(&words[3]);
  CHECK(cudaDeviceSynchronize());
  int product = 1;
  for (int i = 0; i < 32; ++i) product = product * 3 % 1000003;
  REQUIRE(words[0] == product && words[2] == 32 && words[3] == 0);
  CHECK(cudaFree(words));
  CHECK(cudaFree(r));
  return passed();
}
