// SPDX-License-Identifier: MIT
// Threads of a block that meet at many barriers, wait for their warp or for a count between some, and end early.
#include <vector>

#include "verify.h"

constexpr unsigned width = 8;
constexpr unsigned height = 4;
constexpr unsigned depth = 8;
constexpr unsigned threads = width * height * depth;
constexpr unsigned blocks = 19;
constexpr unsigned steps = 60;
constexpr unsigned last_together = 50;  // threads end after this step

__host__ __device__ unsigned steps_of(unsigned i) { return i % 9 == 4 ? last_together + i % 7 : steps; }

__device__ unsigned own_number() { return threadIdx.x + width * (threadIdx.y + height * threadIdx.z); }

__global__ void mix(unsigned* out, unsigned* sums) {
  __shared__ unsigned tile[threads];
  unsigned value = blockIdx.x + own_number();
  for (unsigned step = 0; step < steps_of(own_number()); ++step) {
    tile[own_number()] = value;
    __syncthreads();
    value += 3 * tile[(own_number() + step + 1) % threads] + step;
    __syncthreads();
    if (step % 5 == 3 && step < last_together) value += __shfl_xor_sync(0xffffffffu, value, 1);
    if (step % 7 == 6) value += __syncthreads_count(value & 1);
    if (step % 11 == 2) atomicAdd(&sums[blockIdx.x], value);
  }
  out[blockIdx.x * threads + own_number()] = value;
}

/// What the kernel does, one step of all threads after the other.
void mix_on_host(unsigned block, std::vector<unsigned>& values, unsigned& sum) {
  std::vector<unsigned> tile(threads);
  for (unsigned i = 0; i < threads; ++i) values[i] = block + i;
  for (unsigned step = 0; step < steps; ++step) {
    const auto runs = [&](unsigned i) { return step < steps_of(i); };
    for (unsigned i = 0; i < threads; ++i) tile[i] = runs(i) ? values[i] : tile[i];
    for (unsigned i = 0; i < threads; ++i) values[i] += runs(i) ? 3 * tile[(i + step + 1) % threads] + step : 0;
    if (step % 5 == 3 && step < last_together) {
      const std::vector<unsigned> before = values;
      for (unsigned i = 0; i < threads; ++i) values[i] += before[i ^ 1];
    }
    unsigned odd = 0;
    for (unsigned i = 0; i < threads; ++i) odd += runs(i) ? values[i] & 1 : 0;
    for (unsigned i = 0; i < threads; ++i) {
      if (!runs(i)) continue;
      if (step % 7 == 6) values[i] += odd;
      if (step % 11 == 2) sum += values[i];
    }
  }
}

int main() {
  unsigned* out = nullptr;
  unsigned* sums = nullptr;
  CHECK(cudaMallocManaged(&out, blocks * threads * sizeof(unsigned)));
  CHECK(cudaMallocManaged(&sums, blocks * sizeof(unsigned)));
  CHECK(cudaMemset(sums, 0, blocks * sizeof(unsigned)));
  mix<<<blocks, dim3(width, height, depth)>>>(out, sums);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (unsigned block = 0; block < blocks; ++block) {
    std::vector<unsigned> values(threads);
    unsigned sum = 0;
    mix_on_host(block, values, sum);
    for (unsigned i = 0; i < threads; ++i) verify(out[block * threads + i] == values[i], "a thread's value");
    verify(sums[block] == sum, "the sum of a block");
  }
  CHECK(cudaFree(sums));
  CHECK(cudaFree(out));
  return passed();
}
