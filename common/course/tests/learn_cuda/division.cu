// SPDX-License-Identifier: MIT
// A kernel divides by zero, which ends a kernel of the emulator on every processor.
#include <cstdio>

__global__ void divide(int* numbers) { numbers[1] = 7 / numbers[0]; }

int main() {
  int* numbers;
  cudaMalloc(&numbers, 2 * sizeof(int));
  cudaMemset(numbers, 0, 2 * sizeof(int));
  divide<<<1, 1>>>(numbers);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
