// SPDX-License-Identifier: MIT
#pragma once

#include "cub/block_transfer.h"

namespace d2l::emulator::testing {

constexpr int threads = 256;

template <cub::BlockReduceAlgorithm Algorithm>
void block_sum(const int* in, int* out);
template <cub::BlockScanAlgorithm Algorithm>
void block_scan(const int* in, int* out);
template <cub::BlockLoadAlgorithm Load, cub::BlockStoreAlgorithm Store>
void block_copy(const int* in, int* out);
void warp_sum(const int* in, int* out);

}  // namespace d2l::emulator::testing
