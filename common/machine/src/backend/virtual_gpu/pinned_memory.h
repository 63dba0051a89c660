// SPDX-License-Identifier: MIT
// The pinned host memory of tensors on machines with virtual GPUs: plain memory, of which the emulator must know.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

namespace d2l::backend {

/// Memory of `bytes` bytes, at least one; null if there is none.
void* allocate_pinned_memory(std::size_t bytes) noexcept;
void release_pinned_memory(void* memory) noexcept;
/// The begin and the bytes of the block that contains an address; nullopt if none does.
std::optional<std::pair<void*, std::size_t>> pinned_block_at(const void* address);
/// From now on `forget` is called with the first address of each block before it is released.
void watch_pinned_releases(void (*forget)(const void* begin)) noexcept;

}  // namespace d2l::backend
