// SPDX-License-Identifier: MIT
// Delays: how a virtual GPU makes sure that luck does not hide a missing wait.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>

namespace d2l::backend {

/// When a piece of work may begin. Besides its own length it lets the thread that issued it go on for as long in that
/// thread's processor time, so that a thread which the system paused finds the work as far from done as any other.
class Delay {
 public:
  explicit Delay(std::chrono::nanoseconds length);

  [[nodiscard]] std::chrono::nanoseconds length() const noexcept { return length_; }
  /// The earliest time at which the delay can be over.
  [[nodiscard]] std::chrono::steady_clock::time_point earliest_end() const noexcept { return issued_ + length_; }
  /// True when the time has come: the issuer had its processor time, or a host thread waits for work, or the issuer
  /// has been idle for so long that it waits for something else.
  [[nodiscard]] bool is_over() const noexcept;

 private:
  std::chrono::nanoseconds length_;
  std::chrono::steady_clock::time_point issued_;
  clockid_t issuer_;  ///< the processor-time clock of the issuing thread
  std::chrono::nanoseconds issuer_time_;
};

/// The delays of one queue: a function of the seed, the device and the number of the piece of work since the seed was
/// set.
class DelaySequence {
 public:
  explicit DelaySequence(int device) noexcept : device_(device) {}
  /// The delay of the next piece of work; nothing while delays are off.
  std::optional<Delay> next();

 private:
  int device_;
  std::uint64_t setting_ = 0;
  std::uint64_t number_ = 0;
};

/// A scope in which a host thread waits for work of virtual GPUs.
class WaitingHost {
 public:
  WaitingHost() noexcept;
  ~WaitingHost();
  WaitingHost(const WaitingHost&) = delete;
  WaitingHost& operator=(const WaitingHost&) = delete;
};

}  // namespace d2l::backend
