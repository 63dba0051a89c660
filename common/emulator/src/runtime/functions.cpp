// SPDX-License-Identifier: MIT
// Attributes of kernels, and how many blocks of them fit.
#include <algorithm>
#include <cstddef>
#include <mutex>
#include <unordered_map>

#include "calls/call_site.h"
#include "d2l/occupancy.h"
#include "execution/worker.h"
#include "runtime/device.h"
#include "runtime/errors.h"

namespace d2l::emulator {
namespace {

constexpr std::size_t static_shared_limit = std::size_t{48} * 1024;
constexpr std::size_t opt_in_shared_limit = std::size_t{227} * 1024;

/// The kernels' limits of dynamic shared memory, by address.
struct FunctionLimits {
  std::mutex mutex;
  std::unordered_map<const void*, int> dynamic_shared;
};
FunctionLimits& function_limits() {
  static auto* const made = new FunctionLimits;
  return *made;
}

}  // namespace

cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* function) {
  const ApiCall call(__builtin_return_address(0), "cudaFuncGetAttributes");
  return device_call([&] {
    require(attributes != nullptr);
    require(function != nullptr, cudaErrorInvalidDeviceFunction);
    *attributes = {};
    attributes->maxThreadsPerBlock = max_threads;
    attributes->numRegs = 32;
    attributes->ptxVersion = 90;
    attributes->binaryVersion = 90;
    auto& limits = function_limits();
    const std::lock_guard lock(limits.mutex);
    const auto known = limits.dynamic_shared.find(function);
    attributes->maxDynamicSharedSizeBytes =
        known == limits.dynamic_shared.end() ? static_cast<int>(static_shared_limit) : known->second;
  });
}

cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value) {
  const ApiCall call(__builtin_return_address(0), "cudaFuncSetAttribute");
  return device_call([&] {
    require(function != nullptr, cudaErrorInvalidDeviceFunction);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return;
    require(value >= 0 && static_cast<std::size_t>(value) <= opt_in_shared_limit);
    auto& limits = function_limits();
    const std::lock_guard lock(limits.mutex);
    limits.dynamic_shared[function] = value;
    auto& largest = current_device().largest_dynamic_shared;
    largest = std::max(largest.load(), static_cast<std::size_t>(value));
  });
}

cudaError_t active_blocks(int* blocks, int block_size, std::size_t dynamic_shared) {
  return device_call([&] {
    require(blocks != nullptr && block_size > 0);
    *blocks =
        block_size > static_cast<int>(max_threads)
            ? 0
            : static_cast<int>(
                  occupancy(multiprocessor_limits("9.0"), static_cast<unsigned>(block_size), 0, dynamic_shared).blocks);
  });
}

cudaError_t best_block_size(int* grid, int* block, const std::size_t* /*shared_of*/, int limit) {
  return device_call([&] {
    require(grid != nullptr && block != nullptr);
    *block = limit > 0 ? std::min(limit, static_cast<int>(max_threads)) : static_cast<int>(max_threads);
    require(active_blocks(grid, *block, 0) == cudaSuccess);
  });
}

}  // namespace d2l::emulator
