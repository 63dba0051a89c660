// SPDX-License-Identifier: MIT
// The processes below the calling one, which must be their subreaper: what they use, and their end.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace d2l::grading {

/// Every process that the calling one started, and those that they started.
std::vector<pid_t> descendants();

/// The processes of `user`, where they have one of their own; descendants() for 0. A look at the user misses none that
/// forks and ends faster than its parents can be followed.
std::vector<pid_t> processes_below(unsigned user);

/// The bytes of memory that `processes` hold: their own, what they share, and files that have no name any more.
std::uint64_t memory_of(const std::vector<pid_t>& processes);

/// Ends every descendant, also one that forks without end, and waits until none is left. With a `user` other than 0,
/// all processes of that user.
void end_all(unsigned user);

}  // namespace d2l::grading
