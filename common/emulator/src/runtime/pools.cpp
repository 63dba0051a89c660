// SPDX-License-Identifier: MIT
// Memory in the order of streams, and memory pools.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "calls/call_site.h"
#include "calls/explanations.h"
#include "calls/unread_errors.h"
#include "checks/leaks.h"
#include "d2l_emulator/awkward.h"
#include "graphs/capture.h"
#include "graphs/graph_memory.h"
#include "order/timeline.h"
#include "report/report.h"
#include "runtime/blocking.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/memory.h"

namespace d2l::emulator {
namespace {

struct Pool {
  int device = 0;
  std::uint64_t threshold = 0;
  std::uint64_t used = 0;
  std::uint64_t max_used = 0;
  int flags = 1;
};

/// All pools, and which of them each allocation came from.
struct Pools {
  std::mutex mutex;
  std::unordered_map<cudaMemPool_t, std::shared_ptr<Pool>> known;
  std::unordered_map<int, cudaMemPool_t> defaults;
  std::unordered_map<int, cudaMemPool_t> chosen;
  std::unordered_map<const void*, std::pair<std::shared_ptr<Pool>, std::size_t>> allocations;

  cudaMemPool_t make(int device) {
    auto pool = std::make_shared<Pool>();
    pool->device = device;
    auto* const handle = reinterpret_cast<cudaMemPool_t>(pool.get());
    known[handle] = std::move(pool);
    return handle;
  }
  cudaMemPool_t default_of(int device) {
    auto& pool = defaults[device];
    if (pool == nullptr) pool = make(device);
    return pool;
  }
  std::shared_ptr<Pool> get(cudaMemPool_t handle) {
    const auto found = known.find(handle);
    require(found != known.end());
    return found->second;
  }
};
Pools& pools() {
  static auto* const made = new Pools;
  return *made;
}

void* allocate_from(const std::shared_ptr<Pool>& pool, std::size_t bytes) {
  void* memory = nullptr;
  try {
    memory = allocate_device(pool->device, bytes, "cudaMallocAsync");
  } catch (const OutOfMemoryError&) {
    device_at(pool->device).synchronize();  // what is freed in the order of a stream becomes free
    memory = allocate_device(pool->device, bytes, "cudaMallocAsync");
  }
  const std::lock_guard lock(pools().mutex);
  pool->used += bytes;
  pool->max_used = std::max(pool->max_used, pool->used);
  pools().allocations[memory] = {pool, bytes};
  return memory;
}

/// An operation of the running call on a whole allocation.
Operation in_stream(Operation::Kind kind, const std::shared_ptr<Allocation>& memory, AccessBits use) {
  Operation operation;
  operation.kind = kind;
  operation.site = current_call();
  operation.reports = reports_of_this_thread();
  operation.accesses = {{memory, {{0, memory->bytes, use, nullptr, nullptr}}}};
  return operation;
}

}  // namespace

void note_pool_release(const void* memory) {
  const std::lock_guard lock(pools().mutex);
  const auto found = pools().allocations.find(memory);
  if (found == pools().allocations.end()) return;
  found->second.first->used -= found->second.second;
  pools().allocations.erase(found);
}

cudaMemPool_t pool_of(const Allocation& allocation) {
  const std::lock_guard lock(pools().mutex);
  const auto known = pools().allocations.find(reinterpret_cast<const void*>(allocation.begin));
  return known == pools().allocations.end() ? nullptr : reinterpret_cast<cudaMemPool_t>(known->second.first.get());
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaMallocFromPoolAsync(void** memory, size_t bytes, cudaMemPool_t handle, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(memory != nullptr);
    stream_of(stream);
    std::shared_ptr<Pool> pool;
    {
      const std::lock_guard lock(pools().mutex);
      pool = pools().get(handle);
    }
    const auto most = static_cast<std::size_t>(device_at(pool->device).gpu().properties().total_memory);
    require(bytes <= most || !awkward().too_large_is_invalid);
    note_pool_allocation();
    if (bytes != 0 && any_capture() && capture_allocation(*stream_of(stream), pool->device, bytes, memory)) return;
    *memory = bytes == 0 ? nullptr : allocate_from(pool, bytes);
    if (bytes != 0 && timeline().active()) {
      Operation operation = in_stream(Operation::Kind::allocation, live_allocation(*memory), allocation_use);
      timeline().complete(timeline().submit(stream_of(stream)->role(), std::move(operation)));
    }
  });
}

cudaError_t cudaMallocAsync(void** memory, size_t bytes, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  cudaMemPool_t pool = nullptr;
  const cudaError_t error = device_call([&] {
    const int device = stream_of(stream)->device().number();
    const std::lock_guard lock(pools().mutex);
    const cudaMemPool_t pool_of_device = pools().chosen[device];
    pool = pool_of_device != nullptr ? pool_of_device : pools().default_of(device);
  });
  return error != cudaSuccess ? error : cudaMallocFromPoolAsync(memory, bytes, pool, stream);
}

cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    const auto target = stream_of(stream);
    if (memory == nullptr) return;
    if (free_graph_memory(memory, *target)) return;
    const auto allocation = live_allocation(memory);
    const bool captured = any_capture() && captured_event(*target).has_value();
    const bool known = !captured && allocation && allocation->begin == memory && allocation->kind == MemoryKind::device;
    if (!known || allocation->free_submitted.exchange(true)) {
      explain_failure(why_not_freed(memory, allocations().find(memory).get(), "cudaFreeAsync"));
      throw Failure{cudaErrorInvalidValue};
    }
    note_freed(memory);
    auto release = [memory, allocation] {
      note_pool_release(memory);
      if (awkward().poison_freed) std::memset(contents_of(memory), Awkward::poison, allocation->bytes);
      free_device(allocation);
    };
    if (!timeline().active()) return target->push(std::move(release));
    // Its addresses are used again once all earlier operations are done, so that reports do not depend on time.
    Operation operation = in_stream(Operation::Kind::release, allocation, release_use);
    operation.then = std::move(release);
    target->push([] {}, nullptr, std::move(operation));
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(pool != nullptr);
    device_at(device);
    const std::lock_guard lock(pools().mutex);
    *pool = pools().default_of(device);
  });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(pool != nullptr);
    device_at(device);
    const std::lock_guard lock(pools().mutex);
    const cudaMemPool_t pool_of_device = pools().chosen[device];
    *pool = pool_of_device != nullptr ? pool_of_device : pools().default_of(device);
  });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    device_at(device);
    const std::lock_guard lock(pools().mutex);
    require(pools().get(pool)->device == device);
    pools().chosen[device] = pool;
  });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(pool != nullptr && properties != nullptr);
    require(properties->allocType == cudaMemAllocationTypePinned);
    require(properties->location.type == cudaMemLocationTypeDevice);
    device_at(properties->location.id);
    const std::lock_guard lock(pools().mutex);
    *pool = pools().make(properties->location.id);
  });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    const std::lock_guard lock(pools().mutex);
    require(pools().known.erase(pool) == 1);
    std::erase_if(pools().chosen, [&](const auto& one) { return one.second == pool; });
  });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(value != nullptr);
    const std::lock_guard lock(pools().mutex);
    const auto pool = pools().get(handle);
    if (attribute == cudaMemPoolAttrReleaseThreshold) {
      pool->threshold = *static_cast<std::uint64_t*>(value);
    } else if (attribute == cudaMemPoolAttrUsedMemHigh || attribute == cudaMemPoolAttrReservedMemHigh) {
      pool->max_used = pool->used;
    } else {
      pool->flags = *static_cast<int*>(value);
    }
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(value != nullptr);
    const std::lock_guard lock(pools().mutex);
    const auto pool = pools().get(handle);
    auto& wide = *static_cast<std::uint64_t*>(value);
    switch (attribute) {
      case cudaMemPoolAttrReleaseThreshold:
        wide = pool->threshold;
        break;
      case cudaMemPoolAttrReservedMemCurrent:
      case cudaMemPoolAttrUsedMemCurrent:
        wide = pool->used;
        break;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        wide = pool->max_used;
        break;
      default:
        *static_cast<int*>(value) = pool->flags;
    }
  });
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    int owner = 0;
    {
      const std::lock_guard lock(pools().mutex);
      owner = pools().get(pool)->device;
    }
    for (size_t i = 0; i < count; ++i) {
      Device& user = device_at(list[i].location.id);
      const std::lock_guard lock(user.peers_mutex());
      if (list[i].flags == cudaMemAccessFlagsProtNone) {
        user.pool_peers().erase(owner);
      } else {
        user.pool_peers().insert(owner);
      }
    }
  });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(flags != nullptr && location != nullptr);
    const std::lock_guard lock(pools().mutex);
    pools().get(pool);
    *flags = cudaMemAccessFlagsProtReadWrite;
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t /*bytes*/) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    const std::lock_guard lock(pools().mutex);
    pools().get(pool);
  });
}
