// SPDX-License-Identifier: MIT
/// @file
/// Event: a point in a device's queue that the host or another device can wait for.
#pragma once

#include <memory>

#include "d2l/device.h"

namespace d2l {

namespace detail {
struct EventImpl;
}

/// A point in the queue of one GPU. CPU work is done when a call returns, so an event of the CPU is done at once.
class Event {
 public:
  /// An event that is not recorded; it counts as done.
  Event();
  /// Records the work issued to `device` so far; DeviceError if it does not exist, FatalDeviceError if it is lost.
  void record(Device device);
  /// Work issued to `device` from now on waits for the event; the host does not. DeviceError if the device does not
  /// exist.
  void block(Device device) const;
  /// True if the recorded work is done; does not wait.
  [[nodiscard]] bool query() const;
  /// The host waits for the recorded work: a synchronisation. FatalDeviceError if the device is lost.
  void synchronize() const;

 private:
  std::shared_ptr<detail::EventImpl> impl_;
};

}  // namespace d2l
