// SPDX-License-Identifier: MIT
// What is said of exercises and of the way through them.
#pragma once

#include <string>
#include <vector>

#include "course/exercises.h"
#include "course/records.h"

namespace d2l::runner {

/// The number of exercises with this verdict.
long count_verdicts(const std::vector<Exercise>& exercises, const Records& records, const std::string& verdict);
/// ✓ passed, ✗ tried, ? not verifiable on this hardware, · new.
std::string sign(const Record& record);
/// The first exercise after `current` (from the beginning again at the end) that is not done; null when all are.
const Exercise* next_exercise(const std::vector<Exercise>& exercises, const Records& records,
                              const Exercise* current = nullptr);
/// The exercise that a student is at: the one checked last, or when that is done the next; the first when all are.
const Exercise& current_exercise(const std::vector<Exercise>& exercises, const Records& records);

/// The exercise that is named, or the one that the student is at.
Exercise named_or_current(const std::string& wanted);

/// The table of `list`: a line an exercise, and the sum.
void print_exercises(const std::vector<Exercise>& exercises, const Records& records);
/// Number, title, statement, and what to edit.
void print_task(const Exercise& exercise);
/// What is said when no exercise is left.
void print_all_done(const std::vector<Exercise>& exercises, const Records& records);

}  // namespace d2l::runner
