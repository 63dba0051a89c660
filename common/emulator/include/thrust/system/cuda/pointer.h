// SPDX-License-Identifier: MIT
// In place of Thrust's header: the names of thrust::cuda are those of the host's system.
#pragma once

#include <thrust/system/cpp/pointer.h>
#include <thrust/system/cuda/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
using thrust::system::cpp::pointer;
using thrust::system::cpp::reference;
using thrust::system::cpp::universal_pointer;
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
