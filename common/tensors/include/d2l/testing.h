// SPDX-License-Identifier: MIT
/// @file
/// Testing helpers: the owner of an address, held queues, delays, injected faults, and missing peer access.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "d2l/tensor.h"
#include "d2l/transfers.h"

/// Helpers for tests and checks; a program does not need them.
namespace d2l::testing {

/// The device that owns the memory at `address`, as reported by the driver or the memory pool; cpu() for any other
/// address.
Device owner(const void* address);
/// The device that owns the memory of `tensor`, whatever tensor.device() says; ValueError if it is undefined.
Device owner(const Tensor& tensor);
/// True if tensor.device() is the owner of its memory; ValueError if it is undefined.
bool placed(const Tensor& tensor);
/// A tensor of the same memory with a false device(), to test that checks detect it; ValueError if it is undefined.
Tensor relabel(const Tensor& tensor, Device device);
/// The address of the elements, without waiting for pending copies as data_ptr() does; ValueError if it is undefined.
const void* data_without_waiting(const Tensor& tensor);

/// Holds the queue of a GPU in this scope: the queue accepts work but starts none. Waiting for it from the same thread
/// is an error.
class HeldQueue {
 public:
  /// Holds the queue; DeviceError if the GPU does not exist, FatalDeviceError if it is lost.
  explicit HeldQueue(Device device);
  /// Releases the queue.
  ~HeldQueue();
  HeldQueue(const HeldQueue&) = delete;
  HeldQueue& operator=(const HeldQueue&) = delete;
  /// Releases the queue before the scope ends.
  void release();

 private:
  Device device_;
  bool held_ = true;
};

/// Calls a function with each entry that the process issues in this scope, in the issuing thread and before the device
/// receives it, so that a test can act at a certain step. The function must not issue work itself.
class Watch {
 public:
  /// The function; its argument is the entry that is about to be issued.
  using Function = std::function<void(const LedgerEntry&)>;
  /// Starts calling the function.
  explicit Watch(Function function);
  /// Stops calling the function.
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  std::shared_ptr<const Function> function_;
};

/// Delays each copy and launch on virtual GPUs by a random time drawn from `seed`; nullopt stops it.
void set_delays(std::optional<std::uint64_t> seed);
/// Disables peer access between GPUs, so that copies between them go through the host, or enables it again where the
/// machine has it.
void set_peer_access(bool enabled);
/// Adds a fatal error to the queue of `device`; it is reported as a real one is. DeviceError for the CPU.
void inject_fault(Device device, const std::string& what);
/// Runs a kernel on `device` that writes one byte to `address`, as a stray pointer does, whichever device owns it.
void touch_address(Device device, void* address);
/// The memory of the live tensors on a device, for leak checks.
struct LiveMemory {
  std::int64_t bytes = 0;   ///< bytes requested, without the rounding of the pool
  std::int64_t blocks = 0;  ///< number of blocks
};
/// The memory of the live tensors on `device`; DeviceError if it does not exist.
LiveMemory live_memory(Device device);
/// The streams that the program made with the CUDA runtime and has not destroyed, in the emulator; 0 on a card, which
/// does not count them.
std::int64_t open_streams();

}  // namespace d2l::testing
