// SPDX-License-Identifier: MIT
// OnCard on the emulator: a kernel is one item of work in the stream of its context.
#pragma once

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/cpp/execution_policy.h>

#undef NDEBUG  // cassert declares __assert_fail() without it only
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "backend/kernel.h"
#include "d2l/error.h"
#include "d2l_emulator/launch.h"
#include "kernels/cuda/launch_errors.h"

namespace d2l::backend::cuda {

/// A block of threads.
struct CardBlock {
  [[nodiscard]] std::int64_t index() const { return blockIdx.x; }
  [[nodiscard]] int thread() const { return static_cast<int>(threadIdx.x); }
  template <class T>
  [[nodiscard]] T* shared() const {
    return emulator::dynamic_shared<T>("d2l_shared_memory");
  }
  void synchronise() const { __syncthreads(); }
};

struct OnCard {
  static constexpr bool on_device = true;
  static constexpr int block_threads = 256;
  template <class Body>
  static void for_each_block(const KernelContext& context, std::int64_t count, std::size_t shared_bytes,
                             const Body& body) {
    emulator::launch(
        "run_block", __FILE__, __LINE__, [](const Body& copy) { copy(CardBlock()); },
        emulator::Configuration(static_cast<unsigned>(count), block_threads, shared_bytes,
                                static_cast<cudaStream_t>(context.stream)),
        body);
    check(cudaGetLastError(), "launch");
  }
  /// Does not wait for the card.
  template <class Body>
  static void for_each(const KernelContext& context, std::int64_t count, const Body& body) {
    if (count == 0) return;
    const auto work = [body, count] {
      try {
        thrust::for_each_n(thrust::cpp::par, thrust::counting_iterator<std::int64_t>(0), count, body);
      } catch (const Error& error) {  // a card ends the kernel
        __assert_fail(error.what(), __FILE__, __LINE__, __func__);
      }
    };
    check_launch([&] {
      emulator::launch("for_each", __FILE__, __LINE__, work,
                       emulator::Configuration(1, 1, 0, static_cast<cudaStream_t>(context.stream)));
      // As Thrust does, which clears the last error.
      if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) {
        throw thrust::system_error(static_cast<int>(status), thrust::generic_category(), "for_each");
      }
    });
  }
};

}  // namespace d2l::backend::cuda
