// SPDX-License-Identifier: MIT
// Divides the work of a kernel among host threads. Only this file chooses and compiles Thrust's host policies.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP  // without CUDA
#include "kernels/cpu/host_policy.h"

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/cpp/execution_policy.h>
#include <thrust/system/omp/execution_policy.h>

#include <algorithm>

namespace d2l::backend::kernels {

void for_each_range(const KernelContext& context, std::int64_t count, RangeBody body, const void* work) {
  const std::int64_t parts = std::min<std::int64_t>(count, context.threads);
  const auto part = [=](std::int64_t i) { body(work, count * i / parts, count * (i + 1) / parts); };
  const thrust::counting_iterator<std::int64_t> first(0);
  if (parts > 1) {
    const TeamSize team(context.threads);
    thrust::for_each_n(thrust::omp::par, first, parts, part);
  } else {
    thrust::for_each_n(thrust::cpp::par, first, parts, part);
  }
}

}  // namespace d2l::backend::kernels
