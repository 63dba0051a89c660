// Code of the device finds __CUDA_ARCH__ defined, code of the host does not; both have a clock().
#include <ctime>

#include "verify.h"

#if __CUDA_ARCH__ >= 700
template <class T>
__device__ T twice(T value) {
  return value + value;
}
#endif

#if __CUDA_ARCH__ < 600 && defined(__CUDA_ARCH__)
__device__ double atomicAdd(double* address, double value);
#endif

__host__ __device__ int where() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

__global__ void kernel(int* out) {
#if __CUDA_ARCH__ >= 700
  out[0] = twice(21);
  out[1] = where();
#endif
#ifdef __CUDA_ARCH__
  out[2] = __CUDA_ARCH__ / 100;
#endif
}

/// Waits for a million clocks by one clock, and counts them by the other.
__global__ void count_clocks(int* counted) {
  const long long first = clock64();
  const clock_t start = clock();
  while (clock64() - first < 1000000) {
  }
  *counted = static_cast<int>(static_cast<unsigned>(clock()) - static_cast<unsigned>(start));
}

int main() {
#ifdef __CUDA_ARCH__
  verify(false, "the host's code has no architecture");
#endif
  int* out;
  cudaMallocManaged(&out, 3 * sizeof(int));
  kernel<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  verify(out[0] == 42 && out[1] == 1, "the body of the kernel is compiled");
  verify(out[2] >= 7 && out[2] <= properties.major, "the architecture is the device's");
  count_clocks<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  verify(*out >= 900000, "clock() counts what clock64() counts");
  verify(clock() >= 0 && clock() < static_cast<clock_t>(1000) * CLOCKS_PER_SEC, "the host's clock() is the host's");
  return passed();
}
