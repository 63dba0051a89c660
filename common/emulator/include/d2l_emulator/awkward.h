// SPDX-License-Identifier: MIT
// Awkward machines, for tests: switches that make emulated devices behave like cards that cause trouble.
#pragma once

#include <atomic>

#include "d2l_emulator/runtime_types.h"

namespace d2l::emulator {

struct Awkward {
  /// This device is used exclusively by another program: no context can be created on it; -1 for none.
  std::atomic<int> occupied{-1};
  /// The clock of events is fast by this number of parts per million.
  std::atomic<double> clock_drift{0};
  /// An allocation larger than the device's memory is answered with cudaErrorInvalidValue.
  std::atomic<bool> too_large_is_invalid{false};
  /// The next launch fails with this error.
  std::atomic<cudaError_t> next_launch{cudaSuccess};
};
/// The switches of this process.
Awkward& awkward();
/// True if the program created a context on a device.
bool has_context(int device);

}  // namespace d2l::emulator
