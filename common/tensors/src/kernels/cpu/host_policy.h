// SPDX-License-Identifier: MIT
// Host: the execution policy of kernels that run on host threads.
#pragma once

#include <omp.h>

#include <cstdint>

#include "base/non_copyable.h"
#include "kernels/policy.h"

namespace d2l::backend::kernels {

/// Calls body(work, begin, end) for ranges that cover 0 to `count`: with Thrust's omp policy on context.threads
/// threads, or with its cpp policy on the calling thread if that is 1.
using RangeBody = void (*)(const void* work, std::int64_t begin, std::int64_t end);
void for_each_range(const KernelContext& context, std::int64_t count, RangeBody body, const void* work);

/// Calls part(begin, end) in the same way.
template <class Part>
void for_each_part(const KernelContext& context, std::int64_t count, const Part& part) {
  const auto call = [](const void* work, std::int64_t begin, std::int64_t end) {
    (*static_cast<const Part*>(work))(begin, end);
  };
  for_each_range(context, count, call, &part);
}

/// The policy for the CPU and for virtual GPUs in host memory.
struct Host {
  static constexpr bool on_device = false;
  template <class Body>
  static void for_each(const KernelContext& context, std::int64_t count, const Body& body) {
    for_each_part(context, count, [&body](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) body(i);
    });
  }
};

/// Sets the number of OpenMP threads of the calling thread in a scope.
class TeamSize : detail::NonCopyable {
 public:
  explicit TeamSize(int count) : before_(omp_get_max_threads()) {
    if (count != before_) omp_set_num_threads(count);
    changed_ = count != before_;
  }
  ~TeamSize() {
    if (changed_) omp_set_num_threads(before_);
  }

 private:
  int before_;
  bool changed_ = false;
};

}  // namespace d2l::backend::kernels
