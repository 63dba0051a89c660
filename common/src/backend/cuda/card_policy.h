// SPDX-License-Identifier: MIT
// OnCard: the execution policy of kernels that run on a GPU, in the stream of their context; for .cu files only.
#pragma once

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cstdint>

#include "backend/cuda/launch_errors.h"
#include "kernels/kernel.h"

namespace d2l::backend::cuda {

struct OnCard {
  static constexpr bool on_device = true;
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
