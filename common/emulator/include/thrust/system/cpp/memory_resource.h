// SPDX-License-Identifier: MIT
// In place of Thrust's header: the memory of vectors of the device. Thrust's algorithms run on the host, so kernels and
// the host can both use this memory.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/new.h>
#include <thrust/system/cpp/pointer.h>

#include <cstddef>
#include <new>

#include "d2l_emulator/host_algorithms.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cpp {
namespace detail {

class shared_memory_resource final : public thrust::mr::memory_resource<> {
 public:
  void* do_allocate(std::size_t bytes, std::size_t = THRUST_MR_DEFAULT_ALIGNMENT) override {
    d2l::emulator::require_host_use();
    void* memory = nullptr;
    if (cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal) != cudaSuccess) throw std::bad_alloc();
    return memory;
  }
  void do_deallocate(void* memory, std::size_t, std::size_t = THRUST_MR_DEFAULT_ALIGNMENT) override {
    cudaFree(memory);
  }
};
using native_resource = thrust::mr::fancy_pointer_resource<shared_memory_resource, thrust::cpp::pointer<void>>;
using universal_native_resource =
    thrust::mr::fancy_pointer_resource<shared_memory_resource, thrust::cpp::universal_pointer<void>>;

}  // namespace detail

using memory_resource = detail::native_resource;
using universal_memory_resource = detail::universal_native_resource;
using universal_host_pinned_memory_resource = detail::universal_native_resource;

}  // namespace cpp
}  // namespace system
THRUST_NAMESPACE_END
