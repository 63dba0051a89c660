// SPDX-License-Identifier: MIT
// Whose memory an address is, by the driver's word.
#pragma once

#include <cuda_runtime_api.h>

#include <optional>

namespace d2l::backend::cuda {

/// The pool that the memory at `address` came from; null when it came from none. `card` becomes the current one.
cudaMemPool_t pool_of(const void* address, int card);
/// CUDA's number of the card whose memory `address` is in; none for memory of the host.
std::optional<int> card_of(const void* address);

}  // namespace d2l::backend::cuda
