// SPDX-License-Identifier: MIT
// Watches one program in the sandbox, from a process of its own.
#pragma once

#include "grading/sandbox/task.h"

namespace d2l::grading {

/// Runs the task within its limits, ends its descendants and waits for them. The caller must have no other children.
Ending supervise(const Task& task, Isolation isolation, User user);

/// `learn_grade supervise TASK`: prints the ending of a task, both as JSON; returns the exit code.
int supervise_and_print(const std::string& json);

}  // namespace d2l::grading
