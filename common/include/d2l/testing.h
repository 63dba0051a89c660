// SPDX-License-Identifier: MIT
/// @file
/// Testing helpers: who owns an address, and how to make luck, faults and old hardware happen on purpose.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "d2l/tensor.h"
#include "d2l/transfers.h"

/// For tests: what a program should not do, done on purpose.
namespace d2l::testing {

/// Which device the memory at `address` belongs to, by the word of its driver or pool; cpu() for any other address.
Device owner(const void* address);
/// Who owns the elements of `tensor`, whatever its label says.
Device owner(const Tensor& tensor);
/// True when the label of `tensor` and the owner of its memory agree.
bool placed(const Tensor& tensor);
/// A tensor of the same memory that claims to be on `device`: a lie, for testing that checks catch it.
Tensor relabel(const Tensor& tensor, Device device);
/// The address of the elements without the wait that data_ptr() makes for copies under way.
const void* data_without_waiting(const Tensor& tensor);

/// Holds the queue of a GPU in this scope: work is accepted, none begins. Waiting for it from the same thread is an
/// error.
class HeldQueue {
 public:
  /// Holds it from here on; DeviceError if there is no such GPU, FatalDeviceError if it is lost.
  explicit HeldQueue(Device device);
  /// Lets the work begin.
  ~HeldQueue();
  HeldQueue(const HeldQueue&) = delete;
  HeldQueue& operator=(const HeldQueue&) = delete;
  /// Lets the work begin, before the scope ends.
  void release();

 private:
  Device device_;
  bool held_ = true;
};

/// Calls a function with everything that the process issues in this scope, in the thread that issues it and before its
/// device sees it, so that a test can act at a certain step. The function must issue nothing itself.
class Watch {
 public:
  /// What is called; it is given what is about to be issued.
  using Function = std::function<void(const LedgerEntry&)>;
  /// Calls it from here on.
  explicit Watch(Function function);
  /// Calls it no more.
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  std::shared_ptr<const Function> function_;
};

/// Delays every piece of work on virtual GPUs by an amount drawn from `seed`; nullopt ends it.
void set_delays(std::optional<std::uint64_t> seed);
/// Whether virtual GPUs reach each other's memory; when they do not, copies between them go through the host.
void set_peer_access(bool enabled);
/// Makes the device commit a fatal error in its queue, which surfaces as a real one would.
void inject_fault(Device device, const std::string& what);
/// Runs a kernel on `device` that writes one byte to `address`, whoever owns it: what a stray pointer does.
void touch_address(Device device, void* address);
/// Bytes that live tensors hold on `device`, and how many blocks; for leak checks.
struct LiveMemory {
  std::int64_t bytes = 0;   ///< as asked for, without what a pool rounds up
  std::int64_t blocks = 0;  ///< how many
};
/// What live tensors hold on `device` now; DeviceError if it does not exist.
LiveMemory live_memory(Device device);

}  // namespace d2l::testing
