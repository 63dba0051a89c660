// SPDX-License-Identifier: MIT
// Delays: work of a virtual GPU begins late, so that a missing wait fails every time.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>

#include "base/non_copyable.h"

namespace d2l::backend {

/// When an item of work may begin: after `length` of wall-clock time, and after the issuing thread has used as much
/// processor time. So a thread that the system paused does not find the work done by chance.
class Delay {
 public:
  explicit Delay(std::chrono::nanoseconds length);

  [[nodiscard]] std::chrono::nanoseconds length() const noexcept { return length_; }
  /// The earliest time at which the delay can end.
  [[nodiscard]] std::chrono::steady_clock::time_point earliest_end() const noexcept { return issued_ + length_; }
  /// True if the delay has ended: the issuer used its processor time, or a host thread waits for work, or the issuer
  /// has been idle for so long that it must be waiting for something else.
  [[nodiscard]] bool is_over() const noexcept;

 private:
  std::chrono::nanoseconds length_;
  std::chrono::steady_clock::time_point issued_;
  clockid_t issuer_;  ///< the processor-time clock of the issuing thread
  std::chrono::nanoseconds issuer_time_;
};

/// The delays of one queue: a function of the seed, the device, the queue's number on it, and how many items of work
/// came since the seed was set.
class DelaySequence {
 public:
  explicit DelaySequence(int device, int queue = 0) noexcept : stream_(device + 64 * queue) {}
  /// The delay of the next item of work; nullopt while delays are off.
  std::optional<Delay> next();

 private:
  int stream_;
  std::uint64_t setting_ = 0;
  std::uint64_t number_ = 0;
};

/// A scope in which a host thread waits for work of virtual GPUs.
class WaitingHost : detail::NonCopyable {
 public:
  WaitingHost() noexcept;
  ~WaitingHost();
};

}  // namespace d2l::backend
