// SPDX-License-Identifier: MIT
// Faults in functions that other functions call, on the device and on the host.
__attribute__((noinline)) __device__ void write(int* x, int i) { x[i] = 1; }
__attribute__((noinline)) __device__ void write_own(int* x) {
  write(x, threadIdx.x);
  x[0] = 2;
}
__global__ void set(int* x) {
  if (threadIdx.x == 26) write_own(x);
}
__attribute__((noinline)) void launch(int* x) {
  set<<<1, 2000>>>(x);
  set<<<1, 32>>>(x);
}
__attribute__((noinline)) void copy(int* to, const int* from) {
  cudaMemcpy(to, from, 800, cudaMemcpyDeviceToHost);
  to[0] += 1;
}

int main() {
  int host[200] = {};
  int* x;
  cudaMalloc(&x, 100);
  launch(x);
  copy(host, x);
  cudaFree(x);
  return host[0] > 1 ? 1 : 0;
}
