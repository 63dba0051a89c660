// SPDX-License-Identifier: MIT
// For messages: a duration in seconds.
#pragma once

#include <chrono>

namespace d2l::distributed::detail {

inline double seconds(std::chrono::milliseconds time) { return static_cast<double>(time.count()) / 1000; }

}  // namespace d2l::distributed::detail
