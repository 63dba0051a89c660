// SPDX-License-Identifier: MIT
// How a check tests whether a student measures time correctly: the delays that it adds, and the tolerance of a time.
#pragma once

#include <chrono>
#include <string>

namespace d2l::check {

/// The delay of work that must not be timed.
inline constexpr auto slow = std::chrono::milliseconds(60);
/// The number of tries of a call; the shortest time counts, since noise only makes times longer.
inline constexpr int tries = 4;
/// The delay after a call, within which work that the call did not wait for stays unfinished.
inline constexpr auto after = std::chrono::milliseconds(10);
/// The smallest valid time, as a part of what the work took.
inline constexpr double least_times = 0.9;

/// The largest valid time for work of `seconds`, including calls and waits.
double most_honest(double seconds);
/// "12.3 ms"
std::string in_milliseconds(double seconds);

}  // namespace d2l::check
