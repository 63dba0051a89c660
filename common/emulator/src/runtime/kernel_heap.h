// SPDX-License-Identifier: MIT
// The memory that kernels allocate with malloc() and new.
#pragma once

#include <cstddef>

namespace d2l::emulator {

/// Notes a block that the running kernel allocated. False if the heap of kernels has no room for it.
bool note_kernel_block(const void* memory, std::size_t bytes, const char* call);
/// Forgets a block that is about to be freed. False, without effect, if it is no block of a kernel.
bool forget_kernel_block(const void* memory) noexcept;

}  // namespace d2l::emulator
