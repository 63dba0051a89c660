// SPDX-License-Identifier: MIT
// In place of Thrust's header: memory that kernels and the host can both use.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/detail/sequential/execution_policy.h>

#include <cstddef>

#include "d2l_emulator/host_algorithms.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

template <typename DerivedPolicy>
inline void* malloc(execution_policy<DerivedPolicy>&, std::size_t bytes) {
  void* memory = nullptr;
  return bytes != 0 && cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal) == cudaSuccess ? memory : nullptr;
}
template <typename DerivedPolicy, typename Pointer>
inline void free(sequential::execution_policy<DerivedPolicy>&, Pointer memory) {
  cudaFree(thrust::raw_pointer_cast(memory));
}

}  // namespace sequential
}  // namespace detail
}  // namespace system
THRUST_NAMESPACE_END
