// SPDX-License-Identifier: MIT
// Policies: where a kernel's Thrust algorithm runs, and how its work is divided.
#pragma once

#include <algorithm>
#include <cstdint>

#include "backend/kernel.h"

namespace d2l::backend::kernels {

// A policy has
//   on_device     true if neighbouring threads compute neighbouring elements (a GPU), false if a thread computes rows
//   for_each(context, count, body)
//                 body(i) for every i below `count`, by Thrust; a GPU copies the body
//   for_each_block(context, count, shared_bytes, body)
//                 only where blocks of threads share memory: body(block) in each of block_threads threads of `count`
//                 blocks; block.index(), block.thread(), block.shared() and block.synchronise()
// The build generates a source file for each fill_…<Policy>(table) of the fill_*.h headers (cmake/D2LKernels.cmake), so
// that they compile in parallel.

/// The context for work that is too small for several threads.
inline KernelContext on_one_thread(KernelContext context) {
  context.threads = 1;
  return context;
}

/// Work on fewer elements runs on the calling thread: a parallel region would cost more than it saves.
inline constexpr std::int64_t parallel_threshold = 32768;
/// The elements of one piece of work for a host thread.
inline constexpr std::int64_t chunk_elements = 16384;

/// Calls work(i) for i below `count`.
template <class Policy, class Work>
void run_indexed(const KernelContext& context, std::int64_t count, const Work& work) {
  if constexpr (Policy::on_device) {
    Policy::for_each(context, count, work);
  } else {
    const std::int64_t chunk = context.threads == 1 ? std::max<std::int64_t>(count, 1) : chunk_elements / 4;
    Policy::for_each(context, (count + chunk - 1) / chunk, [&work, chunk, count](std::int64_t index) {
      const std::int64_t end = std::min(count, (index + 1) * chunk);
      for (std::int64_t i = index * chunk; i < end; ++i) work(i);
    });
  }
}

}  // namespace d2l::backend::kernels
