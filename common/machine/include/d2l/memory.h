// SPDX-License-Identifier: MIT
/// @file
/// Memory statistics of GPUs, with the names of PyTorch's torch.cuda. d2l/d2l.h does not include it: with
/// `using namespace d2l`, nvcc's code for Thrust would confuse this namespace with libcu++'s.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "d2l/device.h"

/// What PyTorch's torch.cuda reports of the memory of a GPU, physical or virtual.
///
/// The memory of a tensor counts as allocated from when it is made until its last handle is gone, rounded up to a
/// multiple of 512 bytes, as PyTorch's allocator and the pools of this library round it. So the numbers do not depend
/// on the kind of the GPU. Any thread may ask. All functions throw ValueError for the CPU and DeviceError for a GPU
/// that does not exist.
namespace d2l::cuda {

/// The bytes of the live tensors of a GPU.
[[nodiscard]] std::int64_t memory_allocated(Device device = gpu());
/// The most that memory_allocated() was since the program began, or since reset_peak_memory_stats(). Errors as above.
[[nodiscard]] std::int64_t max_memory_allocated(Device device = gpu());
/// The bytes that the pool of this process holds, in tensors or for later ones.
[[nodiscard]] std::int64_t memory_reserved(Device device = gpu());
/// The most that memory_reserved() was since the program began, or since reset_peak_memory_stats(). Errors as above.
[[nodiscard]] std::int64_t max_memory_reserved(Device device = gpu());
/// From now on the peaks are those of later moments.
void reset_peak_memory_stats(Device device = gpu());
/// The counts by PyTorch's names: "allocated_bytes.all.current", ".peak", ".allocated" (all so far) and ".freed"; the
/// same of "requested_bytes.all" (without rounding) and of "allocation.all" (the number of blocks);
/// "reserved_bytes.all.current" and ".peak".
[[nodiscard]] std::map<std::string, std::int64_t> memory_stats(Device device = gpu());
/// Returns the memory of the pools of all GPUs that no tensor uses. Without a GPU it does nothing.
void empty_cache();
/// The free and the total bytes of a GPU, as its driver counts them: what a pool holds is not free.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> mem_get_info(Device device = gpu());
/// A table of memory_stats() for a reader.
[[nodiscard]] std::string memory_summary(Device device = gpu());

}  // namespace d2l::cuda
