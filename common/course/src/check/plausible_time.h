// SPDX-License-Identifier: MIT
// How a check tests whether a solution measures time correctly: the delays that the check adds, and the valid times.
#pragma once

#include <chrono>
#include <string>

namespace d2l::check {

/// The delay of work that must not be timed.
inline constexpr auto slow = std::chrono::milliseconds(60);
/// The maximum number of tries of a call. One time that is not too long is enough, since noise only makes times longer.
inline constexpr int tries = 4;
/// The delay after a call. Work that the call did not wait for is still unfinished when the delay ends.
inline constexpr auto after = std::chrono::milliseconds(10);
/// The smallest valid time, as a fraction of the time that the work took. A time that is a tenth too short must fail.
inline constexpr double min_ratio = 0.97;

/// The largest valid time, in seconds, for work that took `seconds`; it allows for the time of calls and waits.
double longest_plausible(double seconds);
/// "12.3 ms"
std::string in_milliseconds(double seconds);
/// "12.3 ms, 1.5 times as much": a time, and its ratio to another.
std::string in_milliseconds(double seconds, double reference);

}  // namespace d2l::check
