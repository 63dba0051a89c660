// Older programs rely on the lockstep of a warp between accesses to volatile shared memory, and wait on volatile flags.
#include "verify.h"

template <unsigned Size>
__device__ void reduce_warp(volatile int* data, unsigned i) {
  if (Size >= 64) data[i] += data[i + 32];
  if (Size >= 32) data[i] += data[i + 16];
  if (Size >= 16) data[i] += data[i + 8];
  if (Size >= 8) data[i] += data[i + 4];
  if (Size >= 4) data[i] += data[i + 2];
  if (Size >= 2) data[i] += data[i + 1];
}

template <unsigned Size>
__global__ void reduce(const int* input, int* output) {
  extern __shared__ int data[];
  const unsigned i = threadIdx.x;
  data[i] = input[blockIdx.x * Size * 2 + i] + input[blockIdx.x * Size * 2 + Size + i];
  __syncthreads();
  for (unsigned s = Size / 2; s > 32; s >>= 1) {
    if (i < s) data[i] += data[i + s];
    __syncthreads();
  }
  if (i < 32) reduce_warp<Size>(data, i);
  if (i == 0) output[blockIdx.x] = data[0];
}

__global__ void scan_warps(int* values) {
  volatile __shared__ int data[256];
  const int i = threadIdx.x, lane = i & 31;
  data[i] = values[i];
  if (lane >= 1) data[i] = data[i] + data[i - 1];
  if (lane >= 2) data[i] = data[i] + data[i - 2];
  if (lane >= 4) data[i] = data[i] + data[i - 4];
  if (lane >= 8) data[i] = data[i] + data[i - 8];
  if (lane >= 16) data[i] = data[i] + data[i - 16];
  values[i] = data[i];
}

/// Each block waits for the one before it.
__global__ void chain(volatile int* flags, volatile int* sums) {
  if (threadIdx.x == 0) {
    const int b = blockIdx.x;
    while (b > 0 && flags[b - 1] == 0) {
    }
    sums[b] = (b > 0 ? sums[b - 1] : 0) + b;
    __threadfence();
    flags[b] = 1;
  }
}

int main() {
  constexpr int n = 1 << 12;
  int *input, *output;
  cudaMallocManaged(&input, n * sizeof(int));
  cudaMallocManaged(&output, n * sizeof(int));
  for (int i = 0; i < n; ++i) input[i] = i;
  reduce<128><<<n / 256, 128, 128 * sizeof(int)>>>(input, output);
  cudaDeviceSynchronize();
  long sum = 0;
  for (int i = 0; i < n / 256; ++i) sum += output[i];
  verify(sum == n / 2 * (n - 1L), "the last warp reduces without barriers");
  for (int i = 0; i < 256; ++i) input[i] = 1;
  scan_warps<<<1, 256>>>(input);
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < 256; ++i) right = right && input[i] == i % 32 + 1;
  verify(right, "the warps scan without barriers");
  cudaMemset(input, 0, n * sizeof(int));
  chain<<<50, 32>>>(input, output);
  cudaDeviceSynchronize();
  verify(output[49] == 49 * 50 / 2, "blocks wait for volatile flags");
  return passed();
}
