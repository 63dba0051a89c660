// SPDX-License-Identifier: MIT
// In place of Thrust's header: an allocator of page-locked memory of the host.
#pragma once

#include <thrust/system/cuda/memory_resource.h>

#include <cstddef>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace experimental {

template <class T>
struct pinned_allocator {
  using value_type = T;
  pinned_allocator() = default;
  template <class U>
  pinned_allocator(const pinned_allocator<U>&) {}
  T* allocate(std::size_t count) {
    void* memory = nullptr;
    if (cudaMallocHost(&memory, count * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { cudaFreeHost(memory); }
  bool operator==(const pinned_allocator&) const { return true; }
  bool operator!=(const pinned_allocator&) const { return false; }
};

}  // namespace experimental
}  // namespace cuda
}  // namespace system
namespace cuda {
namespace experimental = system::cuda::experimental;
}
THRUST_NAMESPACE_END
