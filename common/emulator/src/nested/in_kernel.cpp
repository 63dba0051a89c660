// SPDX-License-Identifier: MIT
#include "nested/in_kernel.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "checks/access.h"
#include "checks/checker.h"
#include "checks/reports.h"
#include "d2l_emulator/device_math.h"
#include "execution/current.h"
#include "execution/worker.h"
#include "nested/children.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/kernel_heap.h"
#include "runtime/kernel_launch.h"
#include "runtime/memory.h"

namespace d2l::emulator {

LaunchScope::LaunchScope() noexcept : before_(std::exchange(current_state.own_code, true)) {}
LaunchScope::~LaunchScope() { current_state.own_code = before_; }

namespace {

/// The thread that runs, and what its grid launches.
struct Caller {
  Caller() : worker(*running_worker()), children(worker.launch->children) {}

  [[nodiscard]] std::uint64_t block() const { return worker.block->number; }
  cudaError_t note(cudaError_t error, std::string launch = "") const {
    if (children == nullptr) return error;
    return children->note_error(error, block(), worker.thread->number, std::move(launch));
  }

  OwnCode own;
  Worker& worker;
  Children* children;
};

/// A launch with what it has from its parent.
KernelLaunch child_of(const KernelLaunch& parent, KernelLaunch child) {
  child.device = parent.device;
  child.devices = parent.devices;
  child.seed = seed_of_launch();
  child.checked = parent.checked;
  child.counted = parent.counted;
  child.sampled = parent.sampled;
  child.compared = parent.compared;
  child.cores = parent.cores;
  child.depth = parent.depth + 1;
  return child;
}

/// An argument of a child that points to memory which only the parent has; empty if there is none.
std::string argument_of_parent(const Worker& worker, const KernelLaunch& child) {
  for (const PointerArgument& pointer : child.pointers) {
    const bool local = worker.fibers.owner(pointer.address) != nullptr;
    if (!local && !worker.is_shared(pointer.address)) continue;
    return fmt::format(
        "{}: {}: argument {} is an address of {} of the kernel that launches it, {}, which a child "
        "cannot use. Use memory of cudaMalloc, of malloc() or of a __device__ variable\n",
        place_text({child.file, child.line}), child.name, pointer.number + 1,
        local ? "a local variable" : "shared memory", worker.running());
  }
  std::string text = host_argument(child);
  return text.empty() ? text : text + "\n";
}

/// Null unless the parent is checked.
std::shared_ptr<const LaunchPoint> point_of(const Caller& caller) {
  return caller.worker.checker == nullptr ? nullptr : caller.worker.checker->launch_point();
}

cudaError_t launch_child(const Caller& caller, const Configuration& configuration, const BoundKernel& kernel) {
  const KernelLaunch& parent = *caller.worker.launch;
  if (caller.children == nullptr || kernel.cooperative) return cudaErrorNotSupported;
  const std::size_t max_shared = device_at(parent.device).largest_dynamic_shared;
  if (const auto error = check_configuration(configuration, max_shared); error != cudaSuccess) return error;
  if (parent.depth >= max_nesting_depth) return cudaErrorLaunchMaxDepthExceeded;
  KernelLaunch child = child_of(parent, launch_of(configuration, kernel, parent.device));
  if (std::string wrong = argument_of_parent(caller.worker, child); !wrong.empty()) {
    caller.children->fail({FaultKind::illegal_address, std::move(wrong)});
    return cudaErrorIllegalAddress;
  }
  // A tail launch takes the place of its parent, of which all comes before it.
  const bool tail = configuration.stream == cudaStreamTailLaunch;
  if (tail) child.depth = parent.depth;
  child.point = tail ? parent.point : point_of(caller);
  return caller.children->submit(std::move(child), caller.block(), configuration.stream);
}

/// A copy or a fill as a child of one thread, so that it is checked as a kernel's accesses.
cudaError_t submit_work(const char* name, std::function<void()> work, cudaStream_t stream) {
  const Caller caller;
  if (caller.children == nullptr) return cudaErrorNotSupported;
  KernelLaunch launch;
  launch.name = name;
  launch.body = std::move(work);
  KernelLaunch child = child_of(*caller.worker.launch, std::move(launch));
  child.counted = child.sampled = false;
  child.point = stream == cudaStreamTailLaunch ? caller.worker.launch->point : point_of(caller);
  return caller.note(caller.children->submit(std::move(child), caller.block(), stream));
}

/// The kernel's own write of a result.
template <class T>
void give(T* to, T value, const void* caller) {
  access_by_function(to, sizeof *to, true, caller);  // NOLINT(bugprone-sizeof-expression): of a handle
  *to = value;
}

/// Writes in the largest parts that the address and the size allow.
void note_writes(const std::byte* begin, std::size_t bytes, const void* caller) {
  const unsigned part = 1U << std::countr_zero(reinterpret_cast<std::uintptr_t>(begin) | bytes | 16U);
  for (std::size_t at = 0; at < bytes; at += part) access_by_function(begin + at, part, true, caller);
}

}  // namespace

void submit_in_kernel(const Configuration& configuration, const BoundKernel& kernel) {
  const Caller caller;
  const cudaError_t error = launch_child(caller, configuration, kernel);
  if (error == cudaSuccess || error == cudaErrorIllegalAddress) return;
  caller.note(error, fmt::format("{}: the launch of {} by {}", place_text({kernel.file, kernel.line}), kernel.name,
                                 caller.worker.running()));
}

namespace in_kernel_calls {

cudaError_t note(cudaError_t error) { return Caller().note(error); }

cudaError_t allocate(void** memory, std::size_t bytes, const void* caller) {
  if (memory == nullptr) return note(cudaErrorInvalidValue);
  void* made = nullptr;
  {
    const Caller running;
    made = bytes == 0 ? nullptr : std::malloc(bytes);
    if (made != nullptr && !note_kernel_block(made, bytes, "cudaMalloc()")) std::free(std::exchange(made, nullptr));
  }
  give(memory, made, caller);
  return bytes != 0 && made == nullptr ? note(cudaErrorMemoryAllocation) : cudaSuccess;
}

cudaError_t free(void* memory) {
  const Caller running;
  if (memory == nullptr) return cudaSuccess;
  const auto found = allocations().find(memory);
  // Only what a kernel has allocated is in its heap.
  if (!found || found->freed.load() || found->begin != memory || !forget_kernel_block(memory)) {
    return running.note(cudaErrorInvalidValue);
  }
  std::free(memory);
  return cudaSuccess;
}

cudaError_t copy(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                 std::size_t rows, cudaStream_t stream, const void* caller) {
  if (width == 0 || rows == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr) return note(cudaErrorInvalidValue);
  if (rows > 1 && (to_pitch < width || from_pitch < width)) return note(cudaErrorInvalidPitchValue);
  const auto work = [=] {
    for (std::size_t row = 0; row < rows; ++row) {
      copy_by_function(static_cast<std::byte*>(to) + row * to_pitch,
                       static_cast<const std::byte*>(from) + row * from_pitch, width, caller, 0, 1);
    }
  };
  return submit_work(rows > 1 ? "cudaMemcpy2DAsync" : "cudaMemcpyAsync", work, stream);
}

cudaError_t fill(void* memory, std::size_t pitch, int value, std::size_t width, std::size_t rows, cudaStream_t stream,
                 const void* caller) {
  if (width == 0 || rows == 0) return cudaSuccess;
  if (memory == nullptr) return note(cudaErrorInvalidValue);
  if (rows > 1 && pitch < width) return note(cudaErrorInvalidPitchValue);
  const auto work = [=] {
    for (std::size_t row = 0; row < rows; ++row) {
      auto* const begin = static_cast<std::byte*>(memory) + row * pitch;
      note_writes(begin, width, caller);
      std::memset(begin, value, width);
    }
  };
  return submit_work(rows > 1 ? "cudaMemset2DAsync" : "cudaMemsetAsync", work, stream);
}

cudaError_t create_stream(cudaStream_t* stream, unsigned flags, const void* caller) {
  if (stream == nullptr || flags != cudaStreamNonBlocking) return note(cudaErrorInvalidValue);
  cudaStream_t made = nullptr;
  {
    const Caller running;
    if (running.children == nullptr) return cudaErrorNotSupported;
    running.children->create_stream(&made);
  }
  give(stream, made, caller);
  return cudaSuccess;
}

cudaError_t create_event(cudaEvent_t* event, unsigned flags, const void* caller) {
  if (event == nullptr || flags != cudaEventDisableTiming) return note(cudaErrorInvalidValue);
  cudaEvent_t made = nullptr;
  {
    const Caller running;
    if (running.children == nullptr) return cudaErrorNotSupported;
    running.children->create_event(&made);
  }
  give(event, made, caller);
  return cudaSuccess;
}

cudaError_t destroy_stream(cudaStream_t stream) {
  const Caller running;
  return running.note(running.children == nullptr ? cudaErrorNotSupported : running.children->destroy_stream(stream));
}
cudaError_t destroy_event(cudaEvent_t event) {
  const Caller running;
  return running.note(running.children == nullptr ? cudaErrorNotSupported : running.children->destroy_event(event));
}
cudaError_t record(cudaEvent_t event, cudaStream_t stream) {
  const Caller running;
  if (running.children == nullptr) return cudaErrorNotSupported;
  return running.note(running.children->record(event, running.block(), stream));
}
cudaError_t wait_for(cudaStream_t stream, cudaEvent_t event) {
  const Caller running;
  if (running.children == nullptr) return cudaErrorNotSupported;
  return running.note(running.children->wait_for(event, running.block(), stream));
}

cudaError_t synchronize() {
  const Caller running;
  return running.note(running.children == nullptr ? cudaErrorNotSupported
                                                  : running.children->synchronize(running.block()));
}

cudaError_t last_error(bool forget) {
  const Caller running;
  if (running.children == nullptr) return cudaSuccess;
  return running.children->last_error(running.block(), running.worker.thread->number, forget);
}

void fail(const char* function, const char* why) {
  const Caller running;
  if (running.children == nullptr) return;
  running.children->fail(
      {FaultKind::illegal_address, fmt::format("{} by {}: {}\n", function, running.worker.running(), why)});
}

int device() { return Caller().worker.launch->device; }

}  // namespace in_kernel_calls

}  // namespace d2l::emulator
