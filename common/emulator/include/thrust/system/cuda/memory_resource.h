// SPDX-License-Identifier: MIT
// In place of Thrust's header: memory resources over the runtime's functions.
#pragma once

#include <thrust/mr/memory_resource.h>
#include <thrust/system/cpp/memory_resource.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system/cuda/pointer.h>

#include <cstddef>
#include <new>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

inline cudaError_t cudaMallocManaged(void** memory, std::size_t bytes) {
  return ::cudaMallocManaged(memory, bytes, cudaMemAttachGlobal);
}

template <cudaError_t (*allocate_memory)(void**, std::size_t), cudaError_t (*free_memory)(void*), class Pointer>
class cuda_memory_resource final : public thrust::mr::memory_resource<Pointer> {
 public:
  Pointer do_allocate(std::size_t bytes, std::size_t = THRUST_MR_DEFAULT_ALIGNMENT) override {
    void* memory = nullptr;
    if (allocate_memory(&memory, bytes) != cudaSuccess) throw std::bad_alloc();
    return Pointer(memory);
  }
  void do_deallocate(Pointer memory, std::size_t, std::size_t = THRUST_MR_DEFAULT_ALIGNMENT) override {
    free_memory(thrust::raw_pointer_cast(memory));
  }
};
using device_memory_resource = thrust::system::cpp::memory_resource;
using managed_memory_resource = thrust::system::cpp::universal_memory_resource;
using pinned_memory_resource = thrust::system::cpp::universal_host_pinned_memory_resource;

}  // namespace detail

using memory_resource = detail::device_memory_resource;
using universal_memory_resource = detail::managed_memory_resource;
using universal_host_pinned_memory_resource = detail::pinned_memory_resource;

}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
