// SPDX-License-Identifier: MIT
// Each thread of OpenMP launches kernels into a stream of its own. Without -fopenmp there is one thread.
#include <cuda_runtime.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include <cstdio>
#include <vector>

__global__ void add(int* values, int count, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += value;
}

int main() {
  constexpr int parts = 4, count = 1000;
  int threads = 0, wrong = 0;
#pragma omp parallel num_threads(parts) reduction(+ : wrong)
  {
#pragma omp atomic
    ++threads;
#pragma omp for
    for (int part = 0; part < parts; ++part) {
      std::vector<int> host(count, part);
      int* values = nullptr;
      cudaStream_t stream;
      cudaStreamCreate(&stream);
      cudaMalloc(&values, count * sizeof(int));
      cudaMemcpyAsync(values, host.data(), count * sizeof(int), cudaMemcpyHostToDevice, stream);
      for (int round = 0; round < 10; ++round) add<<<(count + 127) / 128, 128, 0, stream>>>(values, count, round);
      cudaMemcpyAsync(host.data(), values, count * sizeof(int), cudaMemcpyDeviceToHost, stream);
      if (cudaStreamSynchronize(stream) != cudaSuccess) ++wrong;
      for (const int value : host) wrong += value != part + 45;
      cudaFree(values);
      cudaStreamDestroy(stream);
    }
  }
  std::printf("%d threads, %d wrong\n", threads, wrong);
  return wrong == 0 ? 0 : 1;
}
