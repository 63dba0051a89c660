// SPDX-License-Identifier: MIT
// Warp functions: shuffles in all four directions, votes, masks, and __syncwarp.
#include "verify.h"

constexpr unsigned every_lane = 0xffffffffU;

__global__ void shuffles(int* out) {
  const int lane = threadIdx.x % warpSize;
  int errors = 0;
  errors += __shfl_sync(every_lane, lane * 10, 5) != 50;
  errors += __shfl_sync(every_lane, lane, 3, 8) != lane / 8 * 8 + 3;
  errors += __shfl_up_sync(every_lane, lane, 2) != (lane < 2 ? lane : lane - 2);
  errors += __shfl_down_sync(every_lane, lane, 4) != (lane >= 28 ? lane : lane + 4);
  errors += __shfl_xor_sync(every_lane, lane, 1) != (lane ^ 1);
  errors += __shfl_xor_sync(every_lane, lane * 0.5, 16) != (lane ^ 16) * 0.5;
  errors += __shfl_sync(every_lane, static_cast<long long>(lane) << 40, 7) != 7LL << 40;
  atomicAdd(out, errors);
}

__global__ void votes(int* out) {
  const int lane = threadIdx.x % 32;
  int errors = 0;
  errors += __ballot_sync(every_lane, lane % 2) != 0xaaaaaaaaU;
  errors += __any_sync(every_lane, lane == 31) == 0;
  errors += __any_sync(every_lane, lane == 32) != 0;
  errors += __all_sync(every_lane, lane < 32) == 0;
  errors += __all_sync(every_lane, lane < 31) != 0;
  errors += __activemask() == 0;
  if (lane < 16) errors += __ballot_sync(0xffffU, lane < 4) != 0xfU;
  atomicAdd(out, errors);
}

/// Lanes exchange values through shared memory, with no barrier of the block.
__global__ void meet(int* out) {
  __shared__ int values[32];
  const int lane = threadIdx.x;
  values[lane] = lane * lane;
  __syncwarp();
  const int next = values[(lane + 1) % 32];
  __syncwarp(every_lane);
  values[lane] = next;
  __syncwarp();
  const int over_next = (lane + 2) % 32;
  atomicAdd(out, values[(lane + 1) % 32] != over_next * over_next);
}

int main() {
  int *errors, host = 0;
  CHECK(cudaMalloc(&errors, sizeof(int)));
  CHECK(cudaMemset(errors, 0, sizeof(int)));
  shuffles<<<2, 64>>>(errors);
  votes<<<2, 64>>>(errors);
  meet<<<1, 32>>>(errors);
  CHECK(cudaMemcpy(&host, errors, sizeof host, cudaMemcpyDeviceToHost));
  REQUIRE(host == 0);
  CHECK(cudaFree(errors));
  return passed();
}
