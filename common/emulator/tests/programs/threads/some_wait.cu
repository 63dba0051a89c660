// Some threads of a block wait at barriers or in their warp, some end before, and some run without a wait.
#include <cstdlib>
#include <vector>

#include "verify.h"

constexpr int threads = 256;
constexpr int blocks = 37;

/// Odd threads end at once; the others exchange values behind barriers.
__global__ void half_waits(int* out) {
  __shared__ int values[threads];
  const int i = threadIdx.x;
  out[blockIdx.x * threads + i] = -1;
  if (i % 2 == 1) return;
  values[i] = i + blockIdx.x;
  __syncthreads();
  const int other = values[threads - 2 - i];
  __syncthreads();
  out[blockIdx.x * threads + i] = other;
}

/// Only one warp of the block calls a warp function.
__global__ void one_warp_sums(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i;
  if (threadIdx.x / 32 == 3) {
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  }
  out[i] = sum;
}

/// The first thread waits for the last one, whichever starts first.
__global__ void first_waits_for_last(int* flags, int* out) {
  if (threadIdx.x == 0) {
    while (atomicAdd(&flags[blockIdx.x], 0) == 0) {
    }
  }
  if (threadIdx.x == blockDim.x - 1) atomicExch(&flags[blockIdx.x], 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

/// An index of three dimensions, before and after a barrier and in threads that do not wait.
__global__ void indices(int* out) {
  const auto [x, y, z] = threadIdx;
  const int number = (z * blockDim.y + y) * blockDim.x + x;
  if (number % 3 != 0) __syncthreads();
  out[number] = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

/// The rank of each thread of the grid: how many began before it.
__global__ void ranks(int* counter, int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(counter, 1); }

int main() {
  int* flags;
  int* out;
  cudaMallocManaged(&flags, blocks * sizeof(int));
  cudaMallocManaged(&out, blocks * threads * sizeof(int));
  half_waits<<<blocks, threads>>>(out);
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < blocks * threads; ++i) {
    const int expected = i % 2 == 1 ? -1 : threads - 2 - i % threads + i / threads;
    right = right && out[i] == expected;
  }
  verify(right, "a barrier does not wait for threads that have ended");

  one_warp_sums<<<blocks, threads>>>(out);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < blocks * threads; ++i) {
    const int first = i / 32 * 32;
    right = right && out[i] == (i % threads / 32 == 3 ? 32 * first + 31 * 16 : i);
  }
  verify(right, "one warp of a block sums");

  for (int i = 0; i < blocks; ++i) flags[i] = 0;
  first_waits_for_last<<<blocks, threads>>>(flags, out);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < blocks * threads; ++i) right = right && out[i] == 1;
  verify(right, "a thread that polls lets the others run");

  const int sizes[][3] = {{5, 7, 3}, {1, 1, 1}, {64, 1, 1}, {1, 64, 1}, {1, 1, 64}, {32, 32, 1}};
  for (const auto& size : sizes) {
    const int count = size[0] * size[1] * size[2];
    indices<<<1, dim3(size[0], size[1], size[2])>>>(out);
    cudaDeviceSynchronize();
    right = true;
    for (int i = 0; i < count; ++i) right = right && out[i] == i;
    verify(right, "each thread keeps its index over a barrier");
  }

  flags[0] = 0;
  ranks<<<blocks, threads>>>(flags, out);
  cudaDeviceSynchronize();
  std::vector<bool> seen(blocks * threads, false);
  for (int i = 0; i < blocks * threads; ++i) seen[out[i]] = true;
  right = true;
  for (const bool one : seen) right = right && one;
  verify(right, "each thread runs once");
  const char* const order = std::getenv("D2L_KERNEL_ORDER");
  if (order != nullptr && order[0] == '0') {
    right = true;
    for (int i = 0; i < blocks * threads; ++i) right = right && out[i] == i;
    verify(right, "D2L_KERNEL_ORDER=0 is ascending order");
  }
  return passed();
}
