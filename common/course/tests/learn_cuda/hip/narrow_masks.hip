// SPDX-License-Identifier: MIT
// HIP refuses masks of 32 bits.
#include <hip/hip_runtime.h>

__global__ void narrow(int* out) {
  int value = __shfl_sync(0xffffffff, 1, 0);
  value += __shfl_up_sync(0xffffffff, 1, 1);
  value += __shfl_down_sync(0xffffffff, 1, 1);
  value += __shfl_xor_sync(0xffffffff, 1, 1, 16);
  value += static_cast<int>(__ballot_sync(0xffffffff, 1));
  value += __any_sync(-1, 1);
  value += __all_sync(0xffffffff, 1);
  value += static_cast<int>(__match_any_sync(0xffffffff, 1));
  int same = 0;
  value += static_cast<int>(__match_all_sync(0xffffffff, 1, &same));
  out[threadIdx.x] = value + same;
}

int main() { narrow<<<1, 32>>>(nullptr); }
