// SPDX-License-Identifier: MIT
// What is said of exercises and of the way through them.
#pragma once

#include <string>
#include <vector>

#include "exercise_check.h"
#include "exercises.h"
#include "records.h"

namespace d2l::runner {

/// ✓ passed, ✗ tried, ? not verifiable on this hardware, · new.
std::string sign(const Record& record);
/// The first exercise after `current` (from the beginning again at the end) that is not done; null when all are.
const Exercise* next_exercise(const std::vector<Exercise>& exercises, const Records& records,
                              const Exercise* current = nullptr);
/// The exercise that a student is at: the one checked last, or when that is done the next; the first when all are.
const Exercise& current_exercise(const std::vector<Exercise>& exercises, const Records& records);

/// The table of `list`: a line an exercise, and the sum.
void print_exercises(const std::vector<Exercise>& exercises, const Records& records);
/// Says what to do after a check; `before` is the record before it.
void print_next_step(const std::vector<Exercise>& exercises, const Exercise& exercise, const Record& before,
                     const CheckResult& result);
/// Number, title, statement, and what to edit.
void print_task(const Exercise& exercise);
/// What is said when no exercise is left.
void print_all_done(const std::vector<Exercise>& exercises, const Records& records);

}  // namespace d2l::runner
