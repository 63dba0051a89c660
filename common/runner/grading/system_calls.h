// SPDX-License-Identifier: MIT
// The system calls that nothing in the sandbox may make.
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <vector>

namespace d2l::grading {

/// A seccomp program that refuses, with EPERM: sockets, other processes' memory, namespaces, mounts, the kernel's keys,
/// modules and BPF, io_uring, memory that outlives its processes, changes to the attributes of files that Landlock does
/// not guard, and signals to others than `only`. With `only` 0, where something else holds signals back, any signal
/// goes.
std::vector<sock_filter> system_call_filter(pid_t only);

/// Puts the filter on the calling process for good; throws std::system_error when the kernel refuses.
void restrict_system_calls(pid_t only);

}  // namespace d2l::grading
