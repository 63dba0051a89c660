// SPDX-License-Identifier: MIT
// One thread writes beyond an array whose size is a multiple of what the pool hands out: another array could follow it.
__global__ void fill(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = n;
}

int main() {
  constexpr int n = 1024;
  float *out, *next;
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&next, n * sizeof(float));
  fill<<<5, 256>>>(out, n);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
