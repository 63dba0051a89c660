// SPDX-License-Identifier: MIT
// One program in the sandbox, watched by a process of its own.
#pragma once

#include "task.h"

namespace d2l::grading {

/// Runs the task and waits until it and all that it started are gone. For a process that has no other children.
Ending supervise(const Task& task, Walls walls, User user);

/// What `learn_grade supervise` does: a task as JSON on the standard input, its ending as JSON on the standard output.
int supervise_from_input();

}  // namespace d2l::grading
