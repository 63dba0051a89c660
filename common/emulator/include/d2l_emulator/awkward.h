// SPDX-License-Identifier: MIT
// Awkward machines, for tests: switches that make emulated devices behave like cards that cause trouble.
#pragma once

#include <atomic>
#include <cstdint>

#include "d2l_emulator/runtime_types.h"

namespace d2l::emulator {

/// D2L_AWKWARD_CARDS, a list such as "no_peer_access,poison_freed", sets the switches of that name at the start.
struct Awkward {
  /// This device is used exclusively by another program: no context can be created on it; -1 for none.
  std::atomic<int> occupied{-1};
  /// No device can access the memory of another.
  std::atomic<bool> no_peer_access{false};
  /// The clock of events is fast by this number of parts per million.
  std::atomic<double> clock_drift{0};
  /// Heterogeneous memory management: devices use pageable memory of the host. Copies from it read it late, and copies
  /// to it do not wait.
  std::atomic<bool> uses_pageable_memory{false};
  /// An allocation larger than the device's memory is answered with cudaErrorInvalidValue.
  std::atomic<bool> too_large_is_invalid{false};
  /// Memory that is freed in the order of a stream is filled with `poison`.
  std::atomic<bool> poison_freed{false};
  /// The runtime is unloaded, as at the end of a process: every call fails with cudaErrorCudartUnloading.
  std::atomic<bool> unloaded{false};
  /// The next launch fails with this error.
  std::atomic<cudaError_t> next_launch{cudaSuccess};

  static constexpr int poison = 0xDB;
};
/// The switches of this process.
Awkward& awkward();
/// Stops all streams of a device, or lets them go on: their work is accepted, but does not begin.
void stall(int device, bool stalled);
/// True if the program created a context on a device.
bool has_context(int device);
/// The number of calls so far in which the host waited, or may have waited, for a device.
std::int64_t blocking_calls();
/// The numbers of kernels launched, of allocations from memory pools, and of those of pinned memory, so far.
std::int64_t launches();
std::int64_t pool_allocations();
std::int64_t pinned_allocations();

}  // namespace d2l::emulator
