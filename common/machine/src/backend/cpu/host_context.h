// SPDX-License-Identifier: MIT
// The context of kernels that run on threads of the host.
#pragma once

#include "backend/kernel.h"

namespace d2l::backend {

/// For a kernel that may use this many threads. Its scratch memory is the caching allocator's.
KernelContext host_context(int threads);

}  // namespace d2l::backend
