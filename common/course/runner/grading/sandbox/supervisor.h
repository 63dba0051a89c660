// SPDX-License-Identifier: MIT
// Watches one program in the sandbox, from a separate process.
#pragma once

#include "grading/sandbox/task.h"

namespace d2l::grading {

/// Runs a task's program within the limits, then ends its descendants and waits for them. The caller must have no other
/// children.
Ending supervise(const Task& task, Isolation isolation, User user);

/// `learn_grade supervise TASK`: runs the task that `json` describes and prints how it ended, as JSON. Returns the exit
/// code of learn_grade.
int supervise_and_print(const std::string& json);

}  // namespace d2l::grading
