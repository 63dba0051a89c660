// SPDX-License-Identifier: MIT
// A kernel adds to memory that was never written.
__global__ void add_one(float* x) { x[threadIdx.x] += 1; }

int main() {
  float* x;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMemset(x, 0, 32 * sizeof(float));
  add_one<<<1, 64>>>(x);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
