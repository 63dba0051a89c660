// SPDX-License-Identifier: MIT
// Policies: where a kernel's Thrust algorithm runs, and how its work is cut there.
#pragma once

#include <cstdint>

#include "kernels/kernel.h"

namespace d2l::backend::kernels {

// A policy has
//   on_device     whether neighbouring elements are neighbouring threads (a GPU), or a thread takes a row
//   for_each(context, count, body)
//                 body(i) for every i below `count`, by Thrust; a GPU's takes a copy of the body
// The kernels of a kind of device are made by calling every fill_…<Policy>(table) of the fill_*.h headers; each may be
// called in a source file of its own, so that they compile side by side.

/// Calls body(work, begin, end) for ranges that together are 0 to `count`: by Thrust's omp policy on context.threads
/// threads, or where that is one by its cpp policy on the calling thread.
using RangeBody = void (*)(const void* work, std::int64_t begin, std::int64_t end);
void for_each_range(const KernelContext& context, std::int64_t count, RangeBody body, const void* work);

/// The CPU's policy, and the virtual GPUs'.
struct Host {
  static constexpr bool on_device = false;
  template <class Body>
  static void for_each(const KernelContext& context, std::int64_t count, const Body& body) {
    const auto range = [](const void* work, std::int64_t begin, std::int64_t end) {
      const Body& call = *static_cast<const Body*>(work);
      for (std::int64_t i = begin; i < end; ++i) call(i);
    };
    for_each_range(context, count, range, &body);
  }
};

/// The context of work that is too small to be shared out.
inline KernelContext on_one_thread(KernelContext context) {
  context.threads = 1;
  return context;
}

}  // namespace d2l::backend::kernels
