// SPDX-License-Identifier: MIT
#include "graphs/graph_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "calls/call_site.h"
#include "graphs/capture.h"
#include "order/timeline.h"
#include "report/report.h"
#include "runtime/errors.h"
#include "runtime/memory.h"

namespace d2l::emulator {
namespace {

struct Usage {
  std::size_t used = 0;
  std::size_t max_used = 0;
  std::size_t reserved = 0;
  std::size_t max_reserved = 0;
};
struct All {
  std::recursive_mutex mutex;  ///< also for queues, so it is not graph_mutex(), which a thread may hold while it waits
  std::unordered_map<const void*, std::weak_ptr<GraphMemory>> known;
  std::unordered_map<const void*, std::shared_ptr<GraphMemory>> allocated;  ///< it outlives its graph
  std::unordered_map<int, Usage> usage;
};
All& all() {
  static auto* const made = new All;
  return *made;
}

Operation operation_on(const GraphMemory& memory, Operation::Kind kind, AccessBits use, const CallSite& site) {
  Operation operation;
  operation.kind = kind;
  operation.site = site;
  operation.reports = reports_of_this_thread();
  operation.accesses = {{memory.allocation(), {{0, memory.bytes(), use, nullptr, nullptr}}}};
  return operation;
}

/// Work of a node that allocates or frees.
Work memory_work(const std::shared_ptr<GraphMemory>& memory, bool allocates) {
  Work work;
  work.type = allocates ? cudaGraphNodeTypeMemAlloc : cudaGraphNodeTypeMemFree;
  work.name = fmt::format("{} {} bytes", allocates ? "allocate" : "free", memory->bytes());
  work.parameters = memory;
  work.enqueue = [memory, allocates, site = current_call()](Stream& stream, const StreamRole& role) {
    require(memory->allocated() != allocates);
    memory->set_allocated(allocates);
    const auto kind = allocates ? Operation::Kind::allocation : Operation::Kind::release;
    return stream.enqueue(
        role,
        [memory, allocates] {
          // The timeline reports a use after the free, so that it does not depend on time.
          if (!allocates && timeline().active()) return;
          allocations().set_live(memory->allocation(), false);
          if (allocates) allocations().set_live(memory->allocation(), true);
        },
        nullptr, operation_on(*memory, kind, allocates ? allocation_use : release_use, site));
  };
  return work;
}

}  // namespace

GraphMemory::GraphMemory(int device, std::size_t bytes)
    : device_(device),
      bytes_(bytes),
      address_(device_at(device).gpu().allocate(bytes, backend::VirtualGpu::Fill::caller)) {
  device_at(device).wait_for_tensors();
  static std::size_t count = 0;
  const std::string name =
      fmt::format("allocation #{} of graphs ({} bytes, {})", ++count, bytes, current_call().text());
  allocation_ = allocations().add(address_, bytes, MemoryKind::device, device, name);
  allocation_->of_graph = true;
  allocations().set_live(allocation_, false);
}

GraphMemory::~GraphMemory() {
  allocations().set_live(allocation_, false);
  allocation_->of_graph = false;
  const std::lock_guard lock(all().mutex);
  all().known.erase(address_);
  if (reserved) all().usage[device_].reserved -= bytes_;
  if (allocated_) all().usage[device_].used -= bytes_;
  device_at(device_).gpu().release(address_, bytes_);
}

void GraphMemory::set_allocated(bool allocated) {
  const std::lock_guard lock(all().mutex);
  Usage& usage = all().usage[device_];
  if (allocated_ == allocated) return;
  allocated_ = allocated;
  usage.used += allocated ? bytes_ : 0 - bytes_;
  usage.max_used = std::max(usage.max_used, usage.used);
  if (!allocated) {
    all().allocated.erase(address_);
    return;
  }
  all().allocated[address_] = all().known.at(address_).lock();
  if (reserved) return;
  reserved = true;
  usage.reserved += bytes_;
  usage.max_reserved = std::max(usage.max_reserved, usage.reserved);
}

std::shared_ptr<GraphMemory> graph_memory_at(const void* begin) {
  const std::lock_guard lock(all().mutex);
  const auto found = all().known.find(begin);
  return found == all().known.end() ? nullptr : found->second.lock();
}

std::shared_ptr<Allocation> allocation_of_graph(const void* address) {
  const auto found = allocations().find(address);
  return found && found->of_graph ? found : nullptr;
}

Work allocation_work(const std::shared_ptr<GraphMemory>& memory) {
  {
    const std::lock_guard lock(all().mutex);
    all().known[memory->address()] = memory;
  }
  return memory_work(memory, true);
}
Work release_work(const std::shared_ptr<GraphMemory>& memory) { return memory_work(memory, false); }

bool capture_allocation(Stream& stream, int device, std::size_t bytes, void** memory) {
  const std::lock_guard lock(graph_mutex());
  CapturingStream* const state = valid_capture(stream);
  if (state == nullptr) return false;
  const auto made = std::make_shared<GraphMemory>(device, bytes);
  add_captured(*state, std::make_shared<const Work>(allocation_work(made)));
  *memory = made->address();
  return true;
}

void require_not_freed_in(const Graph& graph, const GraphMemory& memory) {
  for (const auto& node : graph.nodes()) {
    const auto* const freed = std::get_if<std::shared_ptr<GraphMemory>>(&node->work->parameters);
    require(freed == nullptr || freed->get() != &memory || node->work->type != cudaGraphNodeTypeMemFree);
  }
}

bool free_graph_memory(const void* begin, Stream& stream) {
  const auto memory = graph_memory_at(begin);
  if (memory == nullptr) return false;
  const std::lock_guard lock(graph_mutex());
  const Work work = release_work(memory);
  if (const CapturingStream* const state = valid_capture(stream)) require_not_freed_in(*state->capture->graph, *memory);
  stream.submit(work);
  return true;
}

bool free_graph_memory(const void* begin) {
  const auto memory = graph_memory_at(begin);
  if (memory == nullptr) return false;
  require(memory->allocated());
  device_at(memory->device()).synchronize();
  memory->set_allocated(false);
  allocations().set_live(memory->allocation(), false);
  return true;
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaDeviceGraphMemTrim(int device) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    device_at(device);
    const std::lock_guard lock(all().mutex);
    for (const auto& [address, weak] : all().known) {
      const auto memory = weak.lock();
      if (memory == nullptr || memory->device() != device || memory->allocated() || !memory->reserved) continue;
      memory->reserved = false;
      all().usage[device].reserved -= memory->bytes();
    }
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    device_at(device);
    require(value != nullptr && attribute >= cudaGraphMemAttrUsedMemCurrent &&
            attribute <= cudaGraphMemAttrReservedMemHigh);
    const std::lock_guard lock(all().mutex);
    const Usage& usage = all().usage[device];
    const std::size_t values[] = {usage.used, usage.max_used, usage.reserved, usage.max_reserved};
    *static_cast<std::uint64_t*>(value) = values[attribute];
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    device_at(device);
    require(attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh);
    require(value != nullptr && *static_cast<const std::uint64_t*>(value) == 0);  // high-water marks can be reset only
    const std::lock_guard lock(all().mutex);
    Usage& usage = all().usage[device];
    if (attribute == cudaGraphMemAttrUsedMemHigh) usage.max_used = usage.used;
    if (attribute == cudaGraphMemAttrReservedMemHigh) usage.max_reserved = usage.reserved;
  });
}
