// SPDX-License-Identifier: MIT
// In place of Thrust's header: policies that name a stream. Thrust's algorithms run on the host, after the kernels.
#pragma once

#include <thrust/system/cpp/execution_policy.h>

#include <type_traits>

#include "d2l_emulator/graphs/api.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {
using host_par_t = std::remove_cv_t<decltype(thrust::cpp::par)>;
struct par_t : host_par_t {
  const host_par_t& on(cudaStream_t stream) const {
    d2l::emulator::refuse_capture(stream);
    return *this;
  }
};
}  // namespace detail
inline constexpr detail::par_t par;
inline constexpr detail::par_t par_nosync;
}  // namespace cuda
}  // namespace system
namespace cuda {
using namespace thrust::system::cuda;
}
THRUST_NAMESPACE_END
