// SPDX-License-Identifier: MIT
// OnCard: the policy of kernels that run on a GPU, in the stream of their context; for .cu files alone.
#pragma once

#include <thrust/system/cuda/execution_policy.h>

#include "kernels/kernel.h"

namespace d2l::backend::cuda {

struct OnCard {
  static constexpr bool on_device = true;
  static int workers(const KernelContext& context) { return context.threads; }
  /// Nothing here waits for the card.
  static auto execution(const KernelContext& context) {
    return thrust::cuda::par_nosync.on(static_cast<cudaStream_t>(context.stream));
  }
};

}  // namespace d2l::backend::cuda
