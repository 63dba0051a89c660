// SPDX-License-Identifier: MIT
/// @file
/// Timing: measures how long a function takes, repeatedly until the median is stable.
#pragma once

#include <functional>
#include <string>

namespace d2l {

/// The result of a measurement, in seconds.
struct Timing {
  double median = 0;             ///< median of the timed runs
  double low = 0;                ///< lower quartile
  double high = 0;               ///< upper quartile
  int runs = 0;                  ///< number of timed runs, without the warm-up
  bool stable = false;           ///< true if the median became stable before the time limit
  bool on_virtual_gpus = false;  ///< true if host threads were timed, not a GPU
};

/// When a measurement ends.
struct TimingLimits {
  double minimum_seconds = 0.05;  ///< measure at least this long
  double maximum_seconds = 2;     ///< stop after this time, even if the median is not stable
  int minimum_runs = 5;           ///< minimum number of timed runs
};

/// Warms `work` up, then times it until the median is stable. Every device is synchronised before the clock starts and
/// before it stops. Work shorter than a millisecond is repeated within a run, so the queued work of these calls may
/// overlap. Open ledgers count every call and every wait. Exceptions of `work` propagate; ValueError for invalid
/// limits.
Timing measure(const std::function<void()>& work, const TimingLimits& limits = {});

/// "1.52 ms (1.50 to 1.60 ms, 33 runs)"; it adds "host threads, not a GPU" for virtual GPUs.
std::string repr(const Timing& timing);

/// A clock for code in a lesson: it synchronises every device before it starts and before it is read.
class Timer {
 public:
  /// Waits for every device, then starts.
  Timer();
  /// Waits for every device; the seconds since the start.
  [[nodiscard]] double seconds() const;

 private:
  long long start_;
};

}  // namespace d2l
