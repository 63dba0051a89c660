// SPDX-License-Identifier: MIT
/// @file
/// Event: a mark in a device's queue, that the host or another device can wait for.
#pragma once

#include <memory>

#include "d2l/device.h"

namespace d2l {

namespace detail {
struct EventImpl;
}

/// A point in the work of one GPU; on the CPU, whose work is done when a call returns, an event is done at once.
class Event {
 public:
  /// Marks nothing yet: it is done.
  Event();
  /// Marks the work that `device` has been given so far.
  void record(Device device);
  /// Lets the work that `device` is given from now on wait for the mark; the host goes on.
  void block(Device device) const;
  /// True when the marked work is done; never waits.
  [[nodiscard]] bool query() const;
  /// The host waits for the mark; a synchronisation.
  void synchronize() const;

 private:
  std::shared_ptr<detail::EventImpl> impl_;
};

}  // namespace d2l
