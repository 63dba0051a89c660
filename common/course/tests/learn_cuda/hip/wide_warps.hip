// SPDX-License-Identifier: MIT
// Right for warps of 32 and of 64 lanes.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sum(const int* in, int* out, unsigned long long* odd) {
  int value = in[threadIdx.x];
  for (int distance = warpSize / 2; distance > 0; distance /= 2) value += __shfl_down(value, distance);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, value);
  odd[threadIdx.x] = __ballot(threadIdx.x % 2) & __ballot_sync(__activemask(), 1);
}

int main() {
  constexpr int n = 256;
  int host[n], total = 0;
  unsigned long long lanes[n];
  for (int& one : host) one = 3;
  int *in, *out;
  unsigned long long* odd;
  hipDeviceProp_t card;
  bool right = hipMalloc(&in, sizeof host) == hipSuccess && hipMalloc(&out, sizeof total) == hipSuccess &&
               hipMalloc(&odd, sizeof lanes) == hipSuccess && hipGetDeviceProperties(&card, 0) == hipSuccess &&
               hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice) == hipSuccess &&
               hipMemset(out, 0, sizeof total) == hipSuccess;
  sum<<<1, n>>>(in, out, odd);
  right = right && hipMemcpy(&total, out, sizeof total, hipMemcpyDeviceToHost) == hipSuccess && total == 3 * n &&
          hipMemcpy(lanes, odd, sizeof lanes, hipMemcpyDeviceToHost) == hipSuccess;
  for (const unsigned long long one : lanes) {
    right = right && one == (card.warpSize == 64 ? 0xaaaaaaaaaaaaaaaaULL : 0xaaaaaaaaULL);
  }
  right = right && hipFree(in) == hipSuccess && hipFree(out) == hipSuccess && hipFree(odd) == hipSuccess;
  std::printf("%s, warps of %d: %s\n", card.gcnArchName, card.warpSize, right ? "PASSED" : "FAILED");
  return right ? 0 : 1;
}
