// SPDX-License-Identifier: MIT
// OnCard: the execution policy of kernels that run on a GPU, in the stream of their context; for .cu files only.
#pragma once

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>

#include "backend/kernel.h"
#include "kernels/cuda/launch_errors.h"
#include "kernels/scratch.h"

namespace d2l::backend::cuda {

/// A block of threads.
struct CardBlock {
  __device__ std::int64_t index() const { return blockIdx.x; }
  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  template <class T>
  __device__ T* shared() const {
    extern __shared__ __align__(16) unsigned char d2l_shared_memory[];
    return reinterpret_cast<T*>(d2l_shared_memory);
  }
  __device__ void synchronise() const { __syncthreads(); }
};

template <class Body>
__global__ void run_block(Body body) {
  body(CardBlock());
}

struct OnCard {
  static constexpr bool on_device = true;
  static constexpr int block_threads = 256;
  template <class Body>
  static void for_each_block(const KernelContext& context, std::int64_t count, std::size_t shared_bytes,
                             const Body& body) {
    run_block<<<static_cast<unsigned>(count), block_threads, shared_bytes, static_cast<cudaStream_t>(context.stream)>>>(
        body);
    check(cudaGetLastError(), "launch");
  }
  /// Sorts pairs by the lowest `bits` bits of their keys; equal keys keep their order. Does not wait for the card.
  template <class Key>
  static void sort_pairs(const KernelContext& context, const Key* keys, Key* sorted_keys, const std::int64_t* positions,
                         std::int64_t* sorted_positions, std::int64_t count, int bits) {
    std::size_t bytes = 0;
    const auto sort = [&](void* storage) {
      check(cub::DeviceRadixSort::SortPairs(storage, bytes, keys, sorted_keys, positions, sorted_positions, count, 0,
                                            bits, static_cast<cudaStream_t>(context.stream)),
            "sort");
    };
    sort(nullptr);
    const kernels::Scratch<char> storage(context, static_cast<std::int64_t>(bytes));
    sort(storage.data());
  }
  /// Does not wait for the card.
  template <class Body>
  static void for_each(const KernelContext& context, std::int64_t count, const Body& body) {
    check_launch([&] {
      thrust::for_each_n(thrust::cuda::par_nosync.on(static_cast<cudaStream_t>(context.stream)),
                         thrust::counting_iterator<std::int64_t>(0), count, body);
    });
  }
};

}  // namespace d2l::backend::cuda
