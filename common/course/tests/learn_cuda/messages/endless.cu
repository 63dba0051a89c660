// SPDX-License-Identifier: MIT
// Kernels that never end, and one that takes long. The argument chooses one.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

__global__ void wait_for_flag(const volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  *out = 1;
}

__global__ void leave_locked(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *sum += 1;
  if (threadIdx.x != 7) atomicExch(lock, 0);
}

__global__ void never_zero(float* out, unsigned n) {
  for (unsigned i = n; i != 0; i -= 2) {
    out[threadIdx.x] = out[threadIdx.x] * 0.5F + static_cast<float>(i);
  }
}

__global__ void many_barriers(int* out, int count) {
  for (int i = 0; i < count; ++i) {
    *out = i;
    __syncthreads();
    __nanosleep(1000);
  }
}

__global__ void count_up(int* counter, int count) {
  while (atomicAdd(counter, 1) < count) {
  }
}

__global__ void wait_for_time(long long nanoseconds) {
  const long long begin = clock64();
  while (clock64() - begin < nanoseconds) __nanosleep(1000);
}

int main(int, char** arguments) {
  const int which = std::atoi(arguments[1]);
  int* memory;
  cudaMallocManaged(&memory, 4096);
  cudaMemset(memory, 0, 4096);
  cudaDeviceSynchronize();
  if (which == 0) wait_for_flag<<<1, 32>>>(memory, memory + 1);
  if (which == 1) leave_locked<<<2, 32>>>(memory, memory + 1);
  if (which == 2) never_zero<<<1, 32>>>(reinterpret_cast<float*>(memory), 7);
  if (which == 3) {
    wait_for_flag<<<1, 32>>>(memory, memory + 1);
    ::sleep(6);
    *memory = 1;
  }
  if (which == 4) many_barriers<<<1, 1>>>(memory, std::atoi(arguments[2]));
  if (which == 5) count_up<<<1, 32>>>(memory, 1'000'000'000);
  if (which == 6) wait_for_time<<<1, 32>>>(6'000'000'000);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
