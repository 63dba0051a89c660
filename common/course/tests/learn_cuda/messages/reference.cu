// SPDX-License-Identifier: MIT
// Parameters that are references, to objects of the host. The argument chooses one.
#include <cstdio>
#include <cstdlib>

struct Size {
  int rows, columns;
};
__global__ void count(int* out, const Size& size) { *out = size.rows * size.columns; }
template <class T>
__global__ void add(int* out, T& from) {
  *out += from;
}

int main(int, char** arguments) {
  int* out = nullptr;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  Size size{3, 4};
  int number = 5;
  if (std::atoi(arguments[1]) == 0) count<<<1, 1>>>(out, size);
  if (std::atoi(arguments[1]) == 1) add<<<1, 1>>>(out, number);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(out);
}
