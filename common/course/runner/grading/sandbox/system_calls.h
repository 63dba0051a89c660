// SPDX-License-Identifier: MIT
// The system calls that no program in the sandbox may make.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace d2l::grading {

/// Refuses, with EPERM and for good, in the calling process: sockets, other processes' memory, limits and scheduling,
/// namespaces, mounts, the kernel's keys, modules and BPF, io_uring, memory that outlives its processes or that no
/// limit counts, changes to file attributes that Landlock does not guard, and signals to processes other than `only`.
/// `only` 0 leaves signals alone. `devices` allows files without a name and pairs of sockets, which the driver of a GPU
/// may need. Throws std::system_error when the kernel refuses the filter.
void restrict_system_calls(pid_t only, bool devices);

/// The read end of a pipe that holds the filter of restrict_system_calls(0, devices), which bubblewrap reads.
int system_call_filter_pipe(bool devices);

/// From now on a new shared mapping in the calling process waits for the holder of the returned descriptor, which calls
/// answer_mapping(). `files` also for mappings of files and devices. Throws std::system_error when the kernel refuses.
int announce_shared_mappings(bool files);

/// Answers one waiting process; allows the mapping if it is not larger than `left`, which it then lowers. Returns false
/// when no process is left.
bool answer_mapping(int descriptor, std::uint64_t& left);

}  // namespace d2l::grading
