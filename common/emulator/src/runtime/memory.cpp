// SPDX-License-Identifier: MIT
#include "runtime/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

#include "calls/call_site.h"
#include "calls/constant_memory.h"
#include "calls/explanations.h"
#include "calls/unread_errors.h"
#include "checks/leaks.h"
#include "execution/host_memory.h"
#include "execution/run_kernel.h"
#include "graphs/capture.h"
#include "graphs/graph_memory.h"
#include "hip/program.h"
#include "ledger/ledger.h"
#include "nested/in_kernel.h"
#include "order/timeline.h"
#include "report/report.h"
#include "runtime/blocking.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/machine.h"

namespace d2l::emulator {

// For Thrust's headers.
bool let_host_use_devices();
void require_host_use();
bool keep_host_out_of_devices();

namespace {

std::atomic<std::uint64_t> allocation_count{0};

std::string allocation_name(std::size_t bytes, const std::string& call) {
  return fmt::format("allocation #{} ({} bytes, {})", ++allocation_count, bytes, call);
}

/// The call with its place, if reports name it.
std::string told(const char* call) { return checks_kernels() ? with_place(call) : call; }

std::atomic<bool> host_uses{false};

constexpr std::size_t host_alignment = 4096;

void* allocate_host(std::size_t bytes, MemoryKind kind, const char* call) {
  const std::size_t rounded = (bytes + host_alignment - 1) / host_alignment * host_alignment;
  require(rounded >= bytes, cudaErrorMemoryAllocation);
  require_memory_of_host(bytes, call);
  void* const memory = std::aligned_alloc(host_alignment, rounded);
  require(memory != nullptr, cudaErrorMemoryAllocation);
  if (kind == MemoryKind::managed) std::memset(memory, 0, rounded);
  const std::string what = told(call);
  timeline().watch(
      allocations().add(memory, bytes, kind, current_device().number(), allocation_name(bytes, what), true));
  note_allocated(memory, bytes, what);
  return memory;
}

void record_memory(LedgerEntry::Kind kind, const char* name, int device, std::size_t bytes) {
  if (!ledger_is_open()) return;
  LedgerEntry entry;
  entry.kind = kind;
  entry.name = name;
  entry.queue = d2l::gpu(device);
  entry.bytes = static_cast<std::int64_t>(bytes);
  detail::record(entry);
}

/// The allocation that begins at an address and that the call frees; Failure, with its reason, if there is none.
std::shared_ptr<Allocation> allocation_to_free(const void* memory, const char* call) {
  auto found = allocations().find(memory);
  const bool host = std::string_view(call) == "cudaFreeHost";
  const auto may_free = [&](const Allocation& one) {
    if (one.freed.load() || one.free_submitted.load() || one.begin != memory) return false;
    return host ? one.kind == MemoryKind::pinned : one.kind == MemoryKind::device || one.kind == MemoryKind::managed;
  };
  if (found && may_free(*found)) return found;
  explain_failure(why_not_freed(memory, found.get(), call));
  throw Failure{cudaErrorInvalidValue};
}

/// The host frees memory: `release` is called at once, or, where a timeline is kept, when all earlier operations are
/// done, so that reports do not depend on time.
void release_by_host(const std::shared_ptr<Allocation>& memory, std::function<void()> release) {
  if (!timeline().active()) return release();
  memory->free_submitted = true;
  Operation operation;
  operation.kind = Operation::Kind::release;
  operation.site = current_call();
  operation.reports = reports_of_this_thread();
  operation.accesses = {{memory, {{0, memory->bytes, release_use, nullptr, nullptr}}}};
  operation.then = std::move(release);
  timeline().add_host_operation(std::move(operation));
}

void free_host(void* memory, MemoryKind kind) {
  const auto allocation = allocation_to_free(memory, kind == MemoryKind::pinned ? "cudaFreeHost" : "cudaFree");
  note_blocking_call();
  note_freed(memory);
  for (int i = 0; i < device_count(); ++i) device_at(i).synchronize();
  timeline().unwatch(memory);
  release_by_host(allocation, [memory] {
    allocations().remove(memory);
    std::free(memory);
  });
}

}  // namespace

AllocationTable& allocations() {
  static auto* const table = new AllocationTable(checks_kernels());
  return *table;
}

bool checks_kernels() {
  static const bool on = [] {
    if (serves_library()) return false;
    const char* const text = std::getenv("D2L_CHECK_KERNELS");
    if (text == nullptr || std::string_view(text).empty() || std::string_view(text) == "0") return false;
    on_exit(
        [](int code, void*) {
          const bool found = timeline().finish();
          const std::string unread = too_much_constant_memory() + unread_errors(code);
          std::fflush(nullptr);
          fmt::print(stderr, "{}", in_names_of_program(unread));
          if (code == 0 && (Device::any_failed() || found || !unread.empty())) std::_Exit(EXIT_FAILURE);
        },
        nullptr);
    timeline().keep(true);
    return true;
  }();
  return on;
}

std::shared_ptr<Allocation> live_allocation(const void* address) {
  auto found = allocations().find(address);
  return found && !found->freed.load() ? found : nullptr;
}

void* contents_of(const void* address) {
  const auto* const gpu = backend::VirtualGpu::owner(machine().gpus(), address);
  return gpu == nullptr ? const_cast<void*>(address) : gpu->arena().alias(address);
}

void* allocate_device(int device, std::size_t bytes, const char* call) {
  if (bytes <= device_at(device).gpu().arena().bytes()) require_memory_of_host(bytes, call);
  void* const memory = device_at(device).gpu().allocate(bytes, backend::VirtualGpu::Fill::caller);
  device_at(device).wait_for_tensors();
  const std::string what = told(call);
  allocations().add(memory, bytes, MemoryKind::device, device, allocation_name(bytes, what));
  note_allocated(memory, bytes, what);
  record_memory(LedgerEntry::Kind::allocation, call, device, bytes);
  return memory;
}

void free_device(const std::shared_ptr<Allocation>& allocation) {
  allocations().free(allocation->begin);
  record_memory(LedgerEntry::Kind::release, "cudaFree", allocation->device, allocation->bytes);
  device_at(allocation->device).gpu().release(const_cast<std::byte*>(allocation->begin), allocation->bytes);
}

OpenMemory::OpenMemory(const std::vector<int>& devices) : opened_(devices) {
  for (const int device : opened_) device_at(device).gpu().arena().open();
}
OpenMemory::OpenMemory(int device) : OpenMemory(device_at(device).reachable()) {}
OpenMemory::~OpenMemory() {
  for (const int device : opened_) device_at(device).gpu().arena().close();
}

bool host_uses_memory() noexcept { return host_uses.load(); }

namespace {

/// Whether Thrust's algorithms on the host may use the memory of devices.
struct HostUse {
  std::mutex mutex;
  bool refused = false;
  bool required = false;
  std::optional<OpenMemory> open;

  void decide(bool wanted) {
    if (serves_library()) return;
    const std::lock_guard lock(mutex);
    const bool use = required || (wanted && !refused);
    if (use && !open) {
      std::vector<int> all(static_cast<std::size_t>(device_count()));
      std::iota(all.begin(), all.end(), 0);
      open.emplace(all);
    }
    if (!use) open.reset();
    host_uses = use;
  }
};
HostUse& host_use() {
  static auto* const made = new HostUse;
  return *made;
}

}  // namespace

bool let_host_use_devices() {
  host_use().decide(true);
  return true;
}
void require_host_use() {
  host_use().required = true;
  host_use().decide(true);
}
bool keep_host_out_of_devices() {
  host_use().refused = true;
  host_use().decide(false);
  return true;
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  if (in_kernel()) return in_kernel_calls::allocate(memory, bytes, __builtin_return_address(0));
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(memory != nullptr);
    forbid_unsafe_call();
    *memory = bytes == 0 ? nullptr : allocate_device(current_device().number(), bytes, "cudaMalloc");
  });
}

cudaError_t cudaFree(void* memory) {
  if (in_kernel()) return in_kernel_calls::free(memory);
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    current_device();
    if (memory == nullptr) return;
    forbid_unsafe_call();
    if (free_graph_memory(memory)) return;
    const auto allocation = allocation_to_free(memory, "cudaFree");
    if (allocation->kind == MemoryKind::managed) return free_host(memory, MemoryKind::managed);
    note_blocking_call();
    note_freed(memory);
    // A card does not wait for the work on memory of cudaMallocAsync, so a program must do it.
    if (pool_of(*allocation) == nullptr || !timeline().active()) device_at(allocation->device).synchronize();
    release_by_host(allocation, [allocation] {
      note_pool_release(allocation->begin);
      free_device(allocation);
    });
  });
}

cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    forbid_unsafe_call();
    note_blocking_call();  // the driver may wait for work that is under way
    note_pinned_allocation();
    require(memory != nullptr && flags <= (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined));
    *memory = bytes == 0 ? nullptr : allocate_host(bytes, MemoryKind::pinned, "cudaHostAlloc");
  });
}
cudaError_t cudaMallocHost(void** memory, size_t bytes) {
  const ApiCall call(__builtin_return_address(0));
  return cudaHostAlloc(memory, bytes, 0);
}
cudaError_t cudaFreeHost(void* memory) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    forbid_unsafe_call();
    if (memory != nullptr) free_host(memory, MemoryKind::pinned);
  });
}

cudaError_t cudaHostRegister(void* memory, size_t bytes, unsigned /*flags*/) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(memory != nullptr && bytes > 0);
    forbid_unsafe_call();
    require(!live_allocation(memory), cudaErrorHostMemoryAlreadyRegistered);
    timeline().watch(allocations().add(memory, bytes, MemoryKind::pinned, current_device().number(),
                                       allocation_name(bytes, told("cudaHostRegister")), true));
  });
}
cudaError_t cudaHostUnregister(void* memory) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    const auto allocation = live_allocation(memory);
    require(allocation && allocation->begin == memory, cudaErrorHostMemoryNotRegistered);
    timeline().unwatch(memory);
    release_by_host(allocation, [] {});
    allocations().remove(memory);
  });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    const auto allocation = live_allocation(host);
    require(device != nullptr && flags == 0 && allocation && allocation->kind == MemoryKind::pinned);
    *device = host;
  });
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    const auto allocation = live_allocation(host);
    require(flags != nullptr && allocation && allocation->kind == MemoryKind::pinned);
    *flags = cudaHostAllocMapped;
  });
}

cudaError_t cudaMallocManaged(void** memory, size_t bytes, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    forbid_unsafe_call();
    require(memory != nullptr && bytes > 0 && (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost));
    *memory = allocate_host(bytes, MemoryKind::managed, "cudaMallocManaged");
  });
}

cudaError_t cudaMallocPitch(void** memory, size_t* pitch, size_t width, size_t height) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(memory != nullptr && pitch != nullptr);
    forbid_unsafe_call();
    *pitch = (width + 511) / 512 * 512;
    const size_t bytes = *pitch * height;
    *memory = bytes == 0 ? nullptr : allocate_device(current_device().number(), bytes, "cudaMallocPitch");
  });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(memory != nullptr);
    forbid_unsafe_call();
    const size_t pitch = (extent.width + 511) / 512 * 512;
    const size_t bytes = pitch * extent.height * extent.depth;
    void* const made = bytes == 0 ? nullptr : allocate_device(current_device().number(), bytes, "cudaMalloc3D");
    *memory = make_cudaPitchedPtr(made, pitch, extent.width, extent.height);
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(free != nullptr && total != nullptr);
    const d2l::MemoryInfo known = current_device().gpu().memory();
    *free = static_cast<size_t>(known.free);
    *total = static_cast<size_t>(known.total);
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(attributes != nullptr);
    *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, const_cast<void*>(pointer)};
    const auto allocation = live_allocation(pointer);
    if (!allocation) return;
    const bool device = allocation->kind == MemoryKind::device || allocation->kind == MemoryKind::symbol;
    const bool managed = allocation->kind == MemoryKind::managed;
    attributes->type = device ? cudaMemoryTypeDevice : (managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost);
    attributes->device = allocation->device;
    attributes->devicePointer = const_cast<void*>(pointer);
    if (device) attributes->hostPointer = nullptr;
  });
}

cudaError_t cudaMemAdvise(const void* memory, size_t bytes, cudaMemoryAdvise /*advice*/, int device) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    if (device != cudaCpuDeviceId) device_at(device);
    const auto allocation = live_allocation(memory);
    require(bytes > 0 && allocation && allocation->kind == MemoryKind::managed);
  });
}
cudaError_t cudaMemPrefetchAsync(const void* memory, size_t bytes, int device, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  stream_of(stream);
  return cudaMemAdvise(memory, bytes, cudaMemAdviseSetPreferredLocation, device);
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* /*memory*/, size_t /*bytes*/, unsigned /*flags*/) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] { stream_of(stream); });
}
