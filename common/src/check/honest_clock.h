// SPDX-License-Identifier: MIT
// How a check finds out whether a student's clock is honest: what it makes slow, and how far off a time may be.
#pragma once

#include <chrono>
#include <string>

namespace d2l::check {

/// How long what must not be timed is made to take.
inline constexpr auto slow = std::chrono::milliseconds(60);
/// How often a call is tried: noise can only make a time longer, so the shortest counts.
inline constexpr int tries = 4;
/// How long a check goes on after a call: what nobody waited for is not finished then either.
inline constexpr auto after = std::chrono::milliseconds(10);
/// The part of what work took that no time of it may be below.
inline constexpr double least_times = 0.9;

/// The most seconds that a clock may show of work that took `seconds`, with calls and waits in it.
double most_honest(double seconds);
/// "12.3 ms"
std::string in_milliseconds(double seconds);

}  // namespace d2l::check
