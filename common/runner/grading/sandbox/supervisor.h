// SPDX-License-Identifier: MIT
// Watches one program in the sandbox, from a process of its own.
#pragma once

#include "grading/sandbox/task.h"

namespace d2l::grading {

/// Runs the task within its limits, ends its descendants and waits for them. The caller must have no other children.
Ending supervise(const Task& task, Isolation isolation, User user);

/// `learn_grade supervise`: reads a task from standard input and writes its ending to standard output, both as JSON.
int supervise_from_input();

}  // namespace d2l::grading
