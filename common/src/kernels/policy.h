// SPDX-License-Identifier: MIT
// Policies: where a kernel's Thrust algorithm runs, and how its work is divided.
#pragma once

#include <cstdint>

#include "kernels/kernel.h"

namespace d2l::backend::kernels {

// A policy has
//   on_device     true if neighbouring threads compute neighbouring elements (a GPU), false if a thread computes rows
//   for_each(context, count, body)
//                 body(i) for every i below `count`, by Thrust; a GPU copies the body
// The build generates a source file for each fill_…<Policy>(table) of the fill_*.h headers (cmake/D2LKernels.cmake), so
// that they compile in parallel.

/// The context for work that is too small for several threads.
inline KernelContext on_one_thread(KernelContext context) {
  context.threads = 1;
  return context;
}

}  // namespace d2l::backend::kernels
