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

__global__ void interrupt() { std::raise(SIGINT); }
