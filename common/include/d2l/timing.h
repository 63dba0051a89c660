// SPDX-License-Identifier: MIT
/// @file
/// Timing: how long a piece of work takes, measured until the answer is stable.
#pragma once

#include <functional>
#include <string>

namespace d2l {

/// How long something took, in seconds.
struct Timing {
  double median = 0;             ///< of the timed runs
  double low = 0;                ///< the lower quartile
  double high = 0;               ///< the upper quartile
  int runs = 0;                  ///< timed runs, warm-up not counted
  bool stable = false;           ///< the median settled before the time limit
  bool on_virtual_gpus = false;  ///< host threads, not a GPU
};

/// When a measurement ends.
struct TimingLimits {
  double minimum_seconds = 0.05;  ///< measured at least this long
  double maximum_seconds = 2;     ///< and given up after this long
  int minimum_runs = 5;           ///< timed so often at least
};

/// Warms `work` up, then times it until the median is stable; every device is synchronised before the clock starts and
/// before it stops. Work shorter than a millisecond is repeated within a run, so what its calls leave in the queues may
/// overlap. Open ledgers count every call and every wait. What `work` throws passes through; ValueError for limits that
/// make no sense.
Timing measure(const std::function<void()>& work, const TimingLimits& limits = {});

/// "1.52 ms (1.50 to 1.60 ms, 33 runs)", with "host threads, not a GPU" where that is so.
std::string repr(const Timing& timing);

/// A clock for a story: seconds since it was made, read after every device has finished; it starts after they have
/// finished what they were given before. Both waits are synchronisations.
class Timer {
 public:
  /// Starts when every device has finished.
  Timer();
  /// Seconds since it was made, after a wait for every device.
  [[nodiscard]] double seconds() const;

 private:
  long long start_;
};

}  // namespace d2l
