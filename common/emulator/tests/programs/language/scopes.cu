// libcu++: atomics with a scope, barriers, pipelines, and the names of the standard library.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <utility>

#include "verify.h"

namespace cg = cooperative_groups;

__device__ cuda::atomic<int, cuda::thread_scope_device> next_ticket{0};
__device__ cuda::atomic<int, cuda::thread_scope_device> served{0};

__global__ void tickets(int* count) {
  const int mine = next_ticket.fetch_add(1, cuda::memory_order_relaxed);
  while (served.load(cuda::memory_order_acquire) != mine) {
  }
  *count += 1;
  served.store(mine + 1, cuda::memory_order_release);
  cuda::atomic_ref<int, cuda::thread_scope_device> largest(count[1]);
  largest.fetch_max(mine);
}

__global__ void stages(const int* input, int* output) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int tile[64], copied[64];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  const int i = threadIdx.x;
  __pipeline_memcpy_async(&tile[i], &input[i], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  cg::memcpy_async(block, copied, tile, sizeof tile);
  cg::wait(block);
  cuda::std::array<int, 2> pair = {tile[63 - i], copied[63 - i]};
  barrier.arrive_and_wait();
  output[i] = pair[0] + pair[1];
}

__global__ void tell(int* message, cuda::std::atomic<int>* ready) {
  *message = 42;
  ready->store(1, cuda::memory_order_release);
}

/// The host waits for a flag in pinned memory; <cuda/atomic> has the standard library's atomics, too.
void receive() {
  int* message;
  cuda::std::atomic<int>* ready;
  cudaMallocHost(&message, sizeof *message);
  cudaMallocHost(&ready, sizeof *ready);
  ready->store(0, cuda::memory_order_release);
  tell<<<1, 1>>>(message, ready);
  while (static_cast<volatile cuda::std::atomic<int>*>(ready)->load(cuda::memory_order_acquire) == 0) {
  }
  verify(*message == 42, "a message");
  cudaDeviceSynchronize();
  cudaFreeHost(message);
  cudaFreeHost(ready);
}

int main() {
  receive();
  int *input, *output;
  cudaMallocManaged(&input, 64 * sizeof(int));
  cudaMallocManaged(&output, 64 * sizeof(int));
  output[0] = output[1] = 0;
  tickets<<<4, 48>>>(output);
  cudaDeviceSynchronize();
  verify(output[0] == 4 * 48 && output[1] == 4 * 48 - 1, "a lock with tickets");
  for (int i = 0; i < 64; ++i) input[i] = i;
  stages<<<1, 64>>>(input, output);
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < 64; ++i) right = right && output[i] == 2 * (63 - i);
  verify(right, "copies in stages");
  verify(cuda::std::numeric_limits<int>::max() == 2147483647, "the standard library");
  return passed();
}
