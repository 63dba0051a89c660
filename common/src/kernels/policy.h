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
// The build instantiates every fill_…<Policy>(table) of the fill_*.h headers in a source file of its own, which it
// generates (cmake/D2LKernels.cmake), so that they compile in parallel.

/// The context of work that is too small to be shared out.
inline KernelContext on_one_thread(KernelContext context) {
  context.threads = 1;
  return context;
}

}  // namespace d2l::backend::kernels
