// SPDX-License-Identifier: MIT
// TestSwitches: what only tests do to devices. Only testing/ of tensors and the backends' tests use it; a backend that
// has queues implements it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace d2l::backend {

class TestSwitches {
 public:
  virtual ~TestSwitches() = default;

  /// Holds the queue of a device: it accepts work but starts none. Holds nest. FatalDeviceError if the device is lost.
  virtual void hold_queue(int device) = 0;
  /// Undoes one hold_queue().
  virtual void release_queue(int device) = 0;
  /// Adds a fatal error to the queue of a device; FatalDeviceError if the device is already lost.
  virtual void inject_fault(int device, const std::string& what) = 0;
  /// Disables peer access between its devices, or restores it as far as the machine has it.
  virtual void set_peer_access(bool enabled) = 0;
};

/// Delays the work of all virtual GPUs in host memory by times drawn from `seed`; nullopt stops it.
void set_virtual_delays(std::optional<std::uint64_t> seed);

}  // namespace d2l::backend
