// SPDX-License-Identifier: MIT
// Kernels of the tests of execution. Compiled with the instrumentation.
#include "execution_kernels.h"

#include <csignal>

#include "kernels.h"

__global__ void meet_at_barrier(float* out, std::latch* others) {
  const unsigned t = threadIdx.x;
  float value = static_cast<float>(t);
  __syncthreads();
  if (t == 0) others->arrive_and_wait();
  __syncthreads();
  out[t] = value;
}

__global__ void shuffle_outside_its_mask(float* out) {
  const unsigned t = threadIdx.x;
  if (t >= 16) out[t] = __shfl_xor_sync(0x0000ffffU, static_cast<float>(t), 1);
  __syncthreads();
}

__global__ void count_threads(int* counts) {
  if (threadIdx.x % 2 == 0) atomicAdd(&counts[blockIdx.x], 1);
  __syncthreads();
  if (threadIdx.x % 2 == 1) atomicAdd(&counts[blockIdx.x], 1);
}

__global__ void wait_for_all_blocks(int* counter) {
  if (threadIdx.x == 0) {
    atomicAdd(counter, 1);
    while (atomicAdd(counter, 0) < static_cast<int>(gridDim.x)) {
    }
  }
  __syncthreads();
}

__global__ void wait_for_a_block_that_traps(int* counter) {
  if (blockIdx.x == 17) __trap();
  while (atomicAdd(counter, 0) == 0) {
  }
}

__global__ void interrupt() { std::raise(SIGINT); }
