// SPDX-License-Identifier: MIT
// The seam between the library and its devices: the interface that cpu, virtual_gpu, and either cuda or no_cuda
// implement. It has no source of its own: each backend defines the functions below that create it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "backend/kernel.h"
#include "d2l/device.h"

namespace d2l {
struct KernelRun;
}

namespace d2l::backend {

/// The current time of std::chrono::steady_clock, the clock of Span.
inline std::int64_t steady_nanoseconds() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// When work ran on its device, in steady_nanoseconds(); -1 if unknown.
struct Span {
  std::atomic<std::int64_t> began{-1};
  std::atomic<std::int64_t> ended{-1};
  /// Of a copy of pageable memory: the host waited for earlier copies, because the staging memory was full.
  std::atomic<bool> waited{false};

  /// For a device that cannot set the times itself: `ask`, which must not throw, asks the driver and sets both times
  /// once the work is done. It is released after that.
  void resolve_with(std::function<void()> ask) {
    const std::lock_guard lock(mutex_);
    ask_ = std::move(ask);
  }
  /// Asks the driver if the times are unknown; any thread may call it after a synchronisation.
  void resolve() {
    const std::lock_guard lock(mutex_);
    if (ask_ && ended.load() < 0) ask_();
    if (ended.load() >= 0) ask_ = nullptr;
  }
  /// What a kernel of the user did, set once when it has ended; null before, and for other work.
  void set_kernel(std::shared_ptr<const KernelRun> run) {
    const std::lock_guard lock(mutex_);
    kernel_ = std::move(run);
  }
  [[nodiscard]] std::shared_ptr<const KernelRun> kernel() {
    const std::lock_guard lock(mutex_);
    return kernel_;
  }

 private:
  std::mutex mutex_;
  std::function<void()> ask_;
  std::shared_ptr<const KernelRun> kernel_;
};

/// A point in a queue.
class Mark {
 public:
  virtual ~Mark() = default;
  /// True if the work before it is done; does not wait.
  [[nodiscard]] virtual bool done() const = 0;
  /// The host waits; FatalDeviceError if the device is lost.
  virtual void wait() const = 0;
};

/// Launches of one device that are submitted together, in their order, as often as the program wants.
class Graph {
 public:
  virtual ~Graph() = default;
};

/// A launch of a graph.
struct GraphLaunch {
  NamedKernel kernel;
  KernelArguments arguments;
};

/// When a graph ran, and each of its launches, if the backend knows it. A span may be null.
struct GraphSpans {
  std::shared_ptr<Span> whole;
  std::vector<std::shared_ptr<Span>> launches;  ///< empty, or one for each launch
};

/// The kind of host memory that a copy reads or writes.
enum class HostMemory : std::int8_t { pageable, pinned };

/// Devices of one kind, numbered from 0. Each device has a queue, which runs its work in order; calls return before the
/// work is done. Every call on a lost device throws FatalDeviceError. Only the queue of a device uses its memory, or
/// the queue of another device between two marks.
class Backend {
 public:
  virtual ~Backend() = default;

  [[nodiscard]] virtual int device_count() const noexcept = 0;
  [[nodiscard]] virtual Processor processor() const noexcept = 0;
  [[nodiscard]] virtual DeviceProperties properties(int device) const = 0;
  [[nodiscard]] virtual MemoryInfo memory(int device) const = 0;

  /// At least `bytes` bytes, aligned to 64 or more; OutOfMemoryError with the requested and free bytes and the device.
  virtual void* allocate(int device, std::size_t bytes) = 0;
  /// Returns memory, in the order of the queue; `bytes` is the size that was requested.
  virtual void release(int device, void* memory, std::size_t bytes) noexcept = 0;
  /// Returns what the pool of a device holds and no block uses.
  virtual void empty_cache(int /*device*/) {}
  /// The most that MemoryInfo::reserved was since reset_max_reserved().
  [[nodiscard]] virtual std::int64_t max_reserved(int device) const { return memory(device).reserved; }
  virtual void reset_max_reserved(int /*device*/) {}
  virtual void* allocate_pinned(std::size_t bytes) = 0;
  virtual void release_pinned(void* memory, std::size_t bytes) noexcept = 0;

  /// Adds a kernel for its processor to the queue and copies its arguments. `span` may be null.
  virtual void launch(int device, NamedKernel kernel, const KernelArguments& arguments, std::shared_ptr<Span> span) = 0;
  /// Prepares launches of a device for replay(); runs none of them.
  virtual std::shared_ptr<Graph> make_graph(int device, std::vector<GraphLaunch> launches) = 0;
  /// Adds all launches of a graph of this device to the queue, with one call.
  virtual void replay(int device, const std::shared_ptr<Graph>& graph, GraphSpans spans) = 0;
  /// Copies from host memory. Pageable memory is read before the call returns, for which the host may wait if much of
  /// it is under way; pinned memory is read when the queue runs the copy.
  virtual void copy_to_device(int device, void* destination, const void* host, std::size_t bytes, HostMemory kind,
                              std::shared_ptr<Span> span) = 0;
  /// Copies to host memory. Pinned memory is written when the queue runs the copy; pageable memory is written by the
  /// time that a synchronisation returns or a later mark is done.
  virtual void copy_to_host(int device, void* host, const void* source, std::size_t bytes, HostMemory kind,
                            std::shared_ptr<Span> span) = 0;
  /// Copies within `device`, or to a `peer` that it can access, in the queue of `device`.
  virtual void copy_to_peer(int device, int peer, void* destination, const void* source, std::size_t bytes,
                            std::shared_ptr<Span> span) = 0;
  [[nodiscard]] virtual bool can_access_peer(int device, int peer) = 0;

  [[nodiscard]] virtual std::shared_ptr<Mark> record(int device) = 0;
  /// Makes the queue of `device` wait for a mark of any device of this backend; the host does not wait.
  virtual void wait(int device, const std::shared_ptr<Mark>& mark) = 0;
  /// The host waits until the queue is empty; FatalDeviceError if work in it failed.
  virtual void synchronize(int device) = 0;

  /// The device that owns an address; nullopt if this backend did not allocate it.
  [[nodiscard]] virtual std::optional<int> owner(const void* address) const = 0;
};

/// The CPU: one device.
Backend& cpu_backend();
/// The physical GPUs; there are none if the build has no CUDA or the driver is broken. Never throws.
Backend& cuda_backend();
/// Slices of the physical GPUs, each with its own stream, pool and limit of `memory` bytes; null without a physical
/// GPU.
std::unique_ptr<Backend> make_card_slices(int count, std::int64_t memory);
/// Virtual GPUs in host memory, with one worker thread and `memory` bytes each, and `cores` for the program's kernels.
std::unique_ptr<Backend> make_virtual_gpus(int count, std::int64_t memory, std::optional<std::uint64_t> delay_seed,
                                           int cores = 1);
/// The installed driver and toolkit, as the cuda backend sees them.
DriverInfo cuda_driver_info();

}  // namespace d2l::backend
