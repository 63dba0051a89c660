// SPDX-License-Identifier: MIT
// The memory of the machine, of which the memory of a virtual GPU is a part once it is used.
#pragma once

#include <cstddef>

namespace d2l::emulator {

/// Failure with cudaErrorMemoryAllocation, after a line on standard error, if the machine lacks memory for an
/// allocation: it may be twice as large as what is left, because few programs use all that they allocate. A part is
/// kept for others. Many small allocations count as a large one.
void require_memory_of_host(std::size_t bytes, const char* call);

}  // namespace d2l::emulator
