// SPDX-License-Identifier: MIT
/// @file
/// HeldUntilAwaited: makes a missing wait show every time, by keeping the work from being done until somebody waits.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "d2l/testing.h"

namespace d2l::testing {

/// In this scope the queue of a GPU is held from the entries that `begins` chooses until the program waits for that
/// GPU, and a while longer. Whoever reads a clock or a value without waiting does so before the work began.
class HeldUntilAwaited {
 public:
  /// How long a queue stays held, and how often.
  struct Limits {
    std::chrono::milliseconds longer{2};       ///< once somebody waits
    std::chrono::milliseconds unawaited{300};  ///< when nobody does
    int times = 30;                            ///< after that it is held no more
  };

  ///@{
  /// Holds the queue that an entry goes to when `begins` is true of the entry.
  explicit HeldUntilAwaited(std::function<bool(const LedgerEntry&)> begins);
  HeldUntilAwaited(std::function<bool(const LedgerEntry&)> begins, Limits limits);
  ///@}
  /// Lets all queues go.
  ~HeldUntilAwaited();
  HeldUntilAwaited(const HeldUntilAwaited&) = delete;
  HeldUntilAwaited& operator=(const HeldUntilAwaited&) = delete;

  /// Holds the queue of a GPU from now on; DeviceError if it does not exist.
  void hold(Device device);

 private:
  class Holder;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace d2l::testing
