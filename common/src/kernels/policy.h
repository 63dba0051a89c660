// SPDX-License-Identifier: MIT
// Policies: where a kernel's Thrust algorithm runs, and how its work is cut there.
#pragma once

#if !defined(__CUDACC__) && !defined(THRUST_DEVICE_SYSTEM)
// Thrust's headers then ask for nothing of CUDA.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#ifndef __CUDACC__
#include <omp.h>
#include <thrust/system/cpp/execution_policy.h>
#include <thrust/system/omp/execution_policy.h>
#endif

#include <cstdint>

#include "kernels/kernel.h"

namespace d2l::backend::kernels {

// A policy has
//   on_device                  whether neighbouring elements are neighbouring threads (a GPU), or a thread takes a row
//   workers(context)           how many pieces of work are worth having at once
//   execution(context)         Thrust's execution policy
// The kernels of a kind of device are made by calling every fill_…<Policy>(table) of the fill_*.h headers; each may be
// called in a source file of its own, so that they compile side by side.

#ifdef __CUDACC__
struct Sequential;  // named in templates of the host's kernels, which nvcc reads and does not use
#else
/// On the calling thread.
struct Sequential {
  static constexpr bool on_device = false;
  static int workers(const KernelContext&) { return 1; }
  static auto execution(const KernelContext&) { return thrust::cpp::par; }
};

/// On context.threads threads of OpenMP.
struct Parallel {
  static constexpr bool on_device = false;
  static int workers(const KernelContext& context) { return context.threads; }
  static auto execution(const KernelContext&) { return thrust::omp::par; }
};

/// The calling thread's OpenMP team has `count` threads while this lives.
class TeamSize {
 public:
  explicit TeamSize(int count) : before_(omp_get_max_threads()) {
    if (count != before_) omp_set_num_threads(count);
    changed_ = count != before_;
  }
  ~TeamSize() {
    if (changed_) omp_set_num_threads(before_);
  }
  TeamSize(const TeamSize&) = delete;
  TeamSize& operator=(const TeamSize&) = delete;

 private:
  int before_;
  bool changed_ = false;
};
#endif

/// Calls body(i) for every i below `count`; on a device the body is copied there.
template <class Policy, class Body>
void for_each_index(const KernelContext& context, std::int64_t count, const Body& body) {
  if constexpr (Policy::on_device) {
    thrust::for_each_n(Policy::execution(context), thrust::counting_iterator<std::int64_t>(0), count, body);
  } else {
    const auto call = [&body](std::int64_t i) { body(i); };
#ifndef __CUDACC__
    if (count > 1 && Policy::workers(context) > 1) {
      const TeamSize team(Policy::workers(context));
      thrust::for_each_n(Policy::execution(context), thrust::counting_iterator<std::int64_t>(0), count, call);
      return;
    }
    thrust::for_each_n(thrust::cpp::par, thrust::counting_iterator<std::int64_t>(0), count, call);
#endif
  }
}

}  // namespace d2l::backend::kernels
