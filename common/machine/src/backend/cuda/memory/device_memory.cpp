// SPDX-License-Identifier: MIT
// Stream-ordered memory from a pool.
#include "backend/cuda/memory/device_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "backend/cuda/errors/check.h"
#include "base/units.h"
#include "d2l/error.h"

namespace d2l::backend::cuda {
namespace {

constexpr std::int64_t pool_step = 512;
constexpr std::int64_t largest_cached = std::int64_t{1} << 20;
constexpr std::int64_t max_cached = std::int64_t{16} << 20;
/// As PyTorch's variable does, D2L_NO_CUDA_MEMORY_CACHING=1 shows each use of freed memory to compute-sanitizer.
const bool caches_blocks = std::getenv("D2L_NO_CUDA_MEMORY_CACHING") == nullptr;

std::int64_t in_steps(std::size_t bytes) {
  const auto wanted = static_cast<std::int64_t>(std::max<std::size_t>(bytes, 1));
  return (wanted + pool_step - 1) / pool_step * pool_step;
}

}  // namespace

DeviceMemory::DeviceMemory(const Card& card, std::optional<std::int64_t> limit)
    : total_(card.properties.total_memory), limit_(limit) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypeNone;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = card.ordinal;
  D2L_CUDA_CHECK(cudaMemPoolCreate(&pool_, &properties));
  std::uint64_t keep_all = std::numeric_limits<std::uint64_t>::max();
  D2L_CUDA_CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep_all));
}

DeviceMemory::~DeviceMemory() {
  if (pool_ != nullptr) ignore(cudaMemPoolDestroy(pool_));
}

bool DeviceMemory::charge(std::int64_t bytes) noexcept {
  const std::int64_t before = charged_.fetch_add(bytes);
  if (!limit_ || bytes <= *limit_ - before) return true;
  charged_.fetch_sub(bytes);
  return false;
}

void* DeviceMemory::take(std::int64_t size, cudaStream_t stream) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = cached_.find(size); found != cached_.end() && !found->second.empty()) {
      void* const memory = found->second.back();
      found->second.pop_back();
      cached_bytes_ -= size;
      return memory;
    }
  }
  void* memory = nullptr;
  const cudaError_t status = cudaMallocFromPoolAsync(&memory, static_cast<std::size_t>(size), pool_, stream);
  if (status == cudaErrorMemoryAllocation) {
    forget_last_error();
    return nullptr;
  }
  check(status, "cudaMallocFromPoolAsync");
  return memory;
}

void* DeviceMemory::try_allocate(std::size_t bytes, cudaStream_t stream) {
  // The driver may answer a size beyond the card's memory with cudaErrorInvalidValue.
  if (bytes > static_cast<std::size_t>(total_)) return nullptr;
  const std::int64_t size = in_steps(bytes);
  if (!charge(size)) return nullptr;
  void* memory = nullptr;
  try {
    memory = take(size, stream);
  } catch (...) {
    charged_.fetch_sub(size);
    throw;
  }
  if (memory == nullptr) {
    charged_.fetch_sub(size);
    return nullptr;
  }
  requested_.fetch_add(static_cast<std::int64_t>(bytes));
  blocks_.fetch_add(1);
  return memory;
}

void DeviceMemory::count_release(std::size_t bytes) noexcept {
  requested_.fetch_sub(static_cast<std::int64_t>(bytes));
  charged_.fetch_sub(in_steps(bytes));
  blocks_.fetch_sub(1);
}

void DeviceMemory::free_in(cudaStream_t stream, void* memory, std::size_t bytes) noexcept {
  const std::int64_t size = in_steps(bytes);
  try {
    const std::lock_guard lock(mutex_);
    if (caches_blocks && size <= largest_cached && cached_bytes_ + size <= max_cached) {
      cached_[size].push_back(memory);
      cached_bytes_ += size;
      return;
    }
  } catch (...) {  // the cache cannot grow: the block is freed
  }
  ignore(cudaFreeAsync(memory, stream));
}

void DeviceMemory::empty_cache(cudaStream_t stream) noexcept {
  const std::lock_guard lock(mutex_);
  for (auto& [size, blocks] : cached_) {
    for (void* const memory : blocks) ignore(cudaFreeAsync(memory, stream));
    blocks.clear();
  }
  cached_bytes_ = 0;
}

void* DeviceMemory::allocate_scratch(std::size_t bytes, cudaStream_t stream) {
  const std::int64_t size = in_steps(bytes);
  void* memory = nullptr;
  if (charge(size)) {
    memory = take(size, stream);
    if (memory == nullptr) charged_.fetch_sub(size);
  }
  if (memory == nullptr) {
    throw OutOfMemoryError(
        fmt::format("[scratch] CUDA out of memory. Tried to allocate {} for the intermediate results of a kernel. "
                    "Release tensors that are not needed, or make smaller ones",
                    detail::bytes_text(bytes)));
  }
  const std::lock_guard lock(mutex_);
  scratch_[memory] = size;
  return memory;
}

void DeviceMemory::free_scratch(cudaStream_t stream, void* memory) noexcept {
  std::int64_t size = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = scratch_.find(memory);
    size = found->second;
    scratch_.erase(found);
  }
  charged_.fetch_sub(size);
  free_in(stream, memory, static_cast<std::size_t>(size));
}

void DeviceMemory::trim() noexcept { ignore(cudaMemPoolTrimTo(pool_, 0)); }

void DeviceMemory::open_to(int card) {
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = card;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  D2L_CUDA_CHECK(cudaMemPoolSetAccess(pool_, &access, 1));
}

std::int64_t DeviceMemory::pool_bytes(cudaMemPoolAttr attribute) const {
  std::uint64_t bytes = 0;
  D2L_CUDA_CHECK(cudaMemPoolGetAttribute(pool_, attribute, &bytes));
  return static_cast<std::int64_t>(bytes);
}

MemoryInfo DeviceMemory::info() const {
  MemoryInfo memory;
  memory.requested = requested_.load();
  memory.blocks = blocks_.load();
  memory.reserved = pool_bytes(cudaMemPoolAttrReservedMemCurrent);
  std::size_t free = 0;
  std::size_t total = 0;
  D2L_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  std::int64_t idle = memory.reserved - pool_bytes(cudaMemPoolAttrUsedMemCurrent);
  {
    const std::lock_guard lock(mutex_);
    idle += cached_bytes_;
  }
  const std::int64_t obtainable = static_cast<std::int64_t>(free) + std::max<std::int64_t>(idle, 0);
  if (limit_) {
    memory.total = *limit_;
    memory.used = charged_.load();
    memory.free = std::min(*limit_ - memory.used, obtainable);
  } else {
    memory.total = static_cast<std::int64_t>(total);
    memory.used = memory.total - static_cast<std::int64_t>(free);
    memory.free = obtainable;
  }
  return memory;
}

void DeviceMemory::reset_max_reserved() {
  std::uint64_t zero = 0;
  D2L_CUDA_CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReservedMemHigh, &zero));
}

}  // namespace d2l::backend::cuda
