// SPDX-License-Identifier: MIT
// The processes below the calling process, which must be their subreaper.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace d2l::grading {

/// The children of the calling process, and theirs.
std::vector<pid_t> descendants();

/// The processes of `user`; descendants() for 0. Listing by user also finds a process that forks and ends faster than
/// its parents can be followed.
std::vector<pid_t> processes_below(unsigned user);

/// The bytes of memory of `processes`: private, shared, swapped, and of page tables.
std::uint64_t memory_of(const std::vector<pid_t>& processes);

/// What processes do at this moment, and what they did.
struct Activity {
  bool computes = false;              ///< a thread computes, or waits for a processor
  double seconds = 0;                 ///< of computing, of these processes and of their children that have ended
  std::map<pid_t, double> scheduled;  ///< seconds in which each thread computed or waited for a processor
};
/// The activity of `processes`.
Activity activity_of(const std::vector<pid_t>& processes);

/// The bytes of the files in `folder` without a name that `processes` of `user` hold open. One that is only mapped, so
/// that its size cannot be read, counts as `unknown`.
std::uint64_t unlinked_files(const std::vector<pid_t>& processes, unsigned user, const std::string& folder,
                             std::uint64_t unknown);

/// Ends every descendant, including one that forks without end, and with a `user` other than 0 all processes of that
/// user; returns when none is left.
void end_all(unsigned user);

}  // namespace d2l::grading
