// SPDX-License-Identifier: MIT
// THE SEAM: all that the library knows of a kind of device. Behind it: cpu, virtual_gpu, and one of cuda and no_cuda.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "d2l/device.h"
#include "kernels/kernel.h"

namespace d2l::backend {

/// When a piece of work ran, in nanoseconds of std::chrono::steady_clock; -1 while unknown.
struct Span {
  std::atomic<std::int64_t> began{-1};
  std::atomic<std::int64_t> ended{-1};

  /// Leaves a way to ask the driver for the times, for a device that cannot note them itself. `ask` sets both once the
  /// work is done, and is let go then; it must not throw.
  void resolve_with(std::function<void()> ask) {
    const std::lock_guard lock(mutex_);
    ask_ = std::move(ask);
  }
  /// Asks, if there is a way and the times are not known yet; called after a synchronisation, by any thread.
  void resolve() {
    const std::lock_guard lock(mutex_);
    if (ask_ && ended.load() < 0) ask_();
    if (ended.load() >= 0) ask_ = nullptr;
  }

 private:
  std::mutex mutex_;
  std::function<void()> ask_;
};

/// A point in a queue.
class Mark {
 public:
  virtual ~Mark() = default;
  /// True when the work before it is done; never waits.
  [[nodiscard]] virtual bool done() const = 0;
  /// The host waits; FatalDeviceError when the device is lost.
  virtual void wait() const = 0;
};

/// Host memory that a copy reads or writes.
enum class HostMemory : std::int8_t { pageable, pinned };

/// Devices of one kind, numbered from 0. Work goes to a device's queue and runs in order; calls return before it is
/// done. Each call on a lost device throws FatalDeviceError. Memory of a device is touched by its queue alone, or by
/// that of another between two marks.
class Backend {
 public:
  virtual ~Backend() = default;

  [[nodiscard]] virtual int device_count() const noexcept = 0;
  [[nodiscard]] virtual DeviceProperties properties(int device) const = 0;
  [[nodiscard]] virtual MemoryInfo memory(int device) const = 0;

  /// At least `bytes` bytes, aligned to 64 or more; OutOfMemoryError with asked, free and device.
  virtual void* allocate(int device, std::size_t bytes) = 0;
  /// Gives memory back, in the order of the queue; `bytes` as it was asked for.
  virtual void release(int device, void* memory, std::size_t bytes) noexcept = 0;
  virtual void* allocate_pinned(std::size_t bytes) = 0;
  virtual void release_pinned(void* memory, std::size_t bytes) noexcept = 0;

  /// Puts a kernel in the queue; the arguments are copied. `span` may be null.
  virtual void launch(int device, Operation operation, const KernelArguments& arguments,
                      std::shared_ptr<Span> span) = 0;
  /// From host memory; pageable memory has been read when this returns, pinned memory is read when the queue comes to
  /// it.
  virtual void copy_to_device(int device, void* destination, const void* host, std::size_t bytes, HostMemory kind,
                              std::shared_ptr<Span> span) = 0;
  /// To host memory, when the queue comes to it.
  virtual void copy_to_host(int device, void* host, const void* source, std::size_t bytes, HostMemory kind,
                            std::shared_ptr<Span> span) = 0;
  /// Within a device, or from `device` to another it can access, in the queue of `device`.
  virtual void copy_to_peer(int device, int peer, void* destination, const void* source, std::size_t bytes,
                            std::shared_ptr<Span> span) = 0;
  [[nodiscard]] virtual bool can_access_peer(int device, int peer) = 0;

  [[nodiscard]] virtual std::shared_ptr<Mark> record(int device) = 0;
  /// The queue of `device` waits for a mark of any device of this backend; the host does not.
  virtual void wait(int device, const std::shared_ptr<Mark>& mark) = 0;
  /// The host waits until the queue is empty; reports what went wrong in it.
  virtual void synchronize(int device) = 0;

  /// Which device an address belongs to; none when it is not memory of this backend.
  [[nodiscard]] virtual std::optional<int> owner(const void* address) const = 0;

  // What tests make happen. A backend that cannot says so with a DeviceError.
  virtual void hold(int device) = 0;
  virtual void let_go(int device) = 0;
  virtual void inject_fault(int device, const std::string& what) = 0;
};

/// The CPU, one device.
Backend& cpu_backend();
/// Physical GPUs, from the CUDA driver; no_cuda's has none. Never throws: a broken driver is no GPU.
Backend& cuda_backend();
/// Slices of the physical GPU, each with its own stream, pool and limit; null when there is no physical GPU.
std::unique_ptr<Backend> make_card_slices(int count, std::int64_t memory);
/// Virtual GPUs in host memory, one worker thread each.
std::unique_ptr<Backend> make_virtual_gpus(int count, std::int64_t memory, std::optional<std::uint64_t> delay_seed);
/// The part of DriverInfo that the cuda backend knows.
DriverInfo cuda_driver_info();

// The virtual GPUs' own switches, for testing.h; no effect on other backends.
void set_virtual_delays(std::optional<std::uint64_t> seed);
void set_virtual_peer_access(bool enabled);

}  // namespace d2l::backend
