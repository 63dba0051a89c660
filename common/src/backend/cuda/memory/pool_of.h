// SPDX-License-Identifier: MIT
// The owner of an address, as the driver reports it.
#pragma once

#include <cuda_runtime_api.h>

#include <optional>

namespace d2l::backend::cuda {

/// The pool that allocated the memory at `address`; null if none did. `card` becomes the current card.
cudaMemPool_t pool_of(const void* address, int card);
/// CUDA's number of the card that contains `address`; nullopt for host memory.
std::optional<int> card_of(const void* address);

}  // namespace d2l::backend::cuda
