// SPDX-License-Identifier: MIT
// malloc() and free() of Thrust's device system: memory that kernels and the host can both use. Thrust prefers these to
// those of the sequential algorithms, because their policy is nearer to that of the device.
#pragma once

#include <cstddef>
#include <type_traits>

#include "d2l_emulator/runtime_api.h"

// NOLINTBEGIN: the names are Thrust's.
THRUST_NAMESPACE_BEGIN
namespace system {
namespace cpp {
namespace detail {

template <typename Derived>
struct execution_policy;

template <typename Derived>
void* malloc(execution_policy<Derived>&, std::size_t bytes) {
  void* memory = nullptr;
  return bytes != 0 && cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal) == cudaSuccess ? memory : nullptr;
}
template <typename Derived, typename Pointer>
void free(execution_policy<Derived>&, Pointer memory) {
  if constexpr (std::is_pointer_v<Pointer>) {
    cudaFree(memory);
  } else {
    cudaFree(memory.get());
  }
}

}  // namespace detail
}  // namespace cpp
}  // namespace system
THRUST_NAMESPACE_END
// NOLINTEND
