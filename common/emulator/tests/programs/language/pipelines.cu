// Pipelines of libcu++ that threads share: each stage is filled and used by several threads.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "verify.h"

#ifdef __NVCC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

namespace cg = cooperative_groups;

constexpr int stages = 3;
constexpr int width = 64;
constexpr int rounds = 10;

// A quarter of the threads copies, the others wait for each stage and add it up in another order.
__global__ void producers_and_consumers(const int* input, int* output) {
  __shared__ int buffer[stages][width];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  const bool produces = block.thread_rank() >= width;
  auto pipe =
      cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const auto bytes = cuda::aligned_size_t<alignof(int)>(sizeof(int));
  const int i = threadIdx.x;
  if (produces) {
    for (int round = 0; round < rounds; ++round) {
      pipe.producer_acquire();
      for (int k = i - width; k < width; k += blockDim.x - width) {
        cuda::memcpy_async(&buffer[round % stages][k], &input[round * width + k], bytes, pipe);
      }
      pipe.producer_commit();
    }
  } else {
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
      pipe.consumer_wait();
      sum += buffer[round % stages][width - 1 - i];
      pipe.consumer_release();
    }
    output[i] = sum;
  }
}

// All threads copy a stage and use the one before.
__global__ void all_do_both(const int* input, int* output) {
  __shared__ int buffer[stages][width];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int i = threadIdx.x;
  int sum = 0;
  for (int round = 0; round <= rounds; ++round) {
    if (round < rounds) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[round % stages][i], &input[round * width + i], sizeof(int), pipe);
      pipe.producer_commit();
    }
    if (round > 0) {
      pipe.consumer_wait();
      sum += buffer[(round - 1) % stages][width - 1 - i];
      pipe.consumer_release();
    }
  }
  output[i] = sum;
}

int main() {
  int *input, *output;
  cudaMallocManaged(&input, rounds * width * sizeof(int));
  cudaMallocManaged(&output, width * sizeof(int));
  for (int i = 0; i < rounds * width; ++i) input[i] = i * i % 101;
  for (int kind = 0; kind < 2; ++kind) {
    if (kind == 0) producers_and_consumers<<<1, width + width / 3>>>(input, output);
    if (kind == 1) all_do_both<<<1, width>>>(input, output);
    verify(cudaDeviceSynchronize() == cudaSuccess, "the kernel ends");
    bool right = true;
    for (int i = 0; i < width; ++i) {
      int sum = 0;
      for (int round = 0; round < rounds; ++round) sum += input[round * width + width - 1 - i];
      right = right && output[i] == sum;
    }
    verify(right, kind == 0 ? "producers and consumers" : "threads that copy and use");
  }
  return passed();
}
