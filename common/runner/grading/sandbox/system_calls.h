// SPDX-License-Identifier: MIT
// The system calls that no program in the sandbox may make.
#pragma once

#include <sys/types.h>

namespace d2l::grading {

/// Refuses, with EPERM and for good, in the calling process: sockets, other processes' memory, namespaces, mounts, the
/// kernel's keys, modules and BPF, io_uring, memory that outlives its processes, changes to file attributes that
/// Landlock does not guard, and signals to processes other than `only`. `only` 0 leaves signals alone. Throws
/// std::system_error when the kernel refuses the filter.
void restrict_system_calls(pid_t only);

/// The read end of a pipe that holds the filter of restrict_system_calls(0), which bubblewrap reads.
int system_call_filter_pipe();

}  // namespace d2l::grading
