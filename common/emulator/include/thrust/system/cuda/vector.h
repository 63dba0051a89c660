// SPDX-License-Identifier: MIT
// In place of Thrust's header: the names of thrust::cuda are those of the host's system.
#pragma once

#include <thrust/system/cpp/vector.h>
#include <thrust/system/cuda/memory.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
using thrust::system::cpp::allocator;
using thrust::system::cpp::pointer;
using thrust::system::cpp::universal_allocator;
using thrust::system::cpp::universal_vector;
using thrust::system::cpp::vector;
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
