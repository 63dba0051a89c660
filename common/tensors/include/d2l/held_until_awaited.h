// SPDX-License-Identifier: MIT
/// @file
/// HeldUntilAwaited: makes a missing wait fail every time: the work does not begin before the program waits for it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "d2l/testing.h"

namespace d2l::testing {

/// In this scope the queue of a GPU is held from each entry for which `begins` is true until the program waits for that
/// GPU, and a little longer. Code that reads a clock or a value without waiting does so before the work began.
class HeldUntilAwaited {
 public:
  /// How long and how often a queue is held.
  struct Limits {
    std::chrono::milliseconds longer{2};       ///< time that it stays held once the program waits
    std::chrono::milliseconds unawaited{300};  ///< time after which it is released if the program does not wait
    int times = 30;                            ///< maximum number of holds of one queue
  };

  ///@{
  /// Holds the queue of each entry for which `begins` is true.
  explicit HeldUntilAwaited(std::function<bool(const LedgerEntry&)> begins);
  HeldUntilAwaited(std::function<bool(const LedgerEntry&)> begins, Limits limits);
  ///@}
  /// Releases all queues.
  ~HeldUntilAwaited();
  HeldUntilAwaited(const HeldUntilAwaited&) = delete;
  HeldUntilAwaited& operator=(const HeldUntilAwaited&) = delete;

  /// Holds the queue of a GPU now; DeviceError if it does not exist.
  void hold(Device device);

 private:
  class Holder;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace d2l::testing
