// SPDX-License-Identifier: MIT
// The student's progress through the exercises.
#pragma once

#include <string>
#include <vector>

#include "course/exercises.h"
#include "course/records.h"

namespace d2l::runner {

/// The number of exercises for which this verdict counts, as Record::standing() says.
long count_verdicts(const std::vector<Exercise>& exercises, const Records& records, const std::string& verdict);
/// The mark of a verdict: ✓ passed, ✗ tried, ? not verifiable on this hardware, · new.
std::string sign(const Record& record);
/// The first exercise after `current` that is not done, continued at the beginning; null when all are done.
const Exercise* next_exercise(const std::vector<Exercise>& exercises, const Records& records,
                              const Exercise* current = nullptr);
/// The exercise to work on: the one checked last, if it is not done or that check failed; else the next one after it;
/// the first when all are done.
const Exercise& current_exercise(const std::vector<Exercise>& exercises, const Records& records);

/// The exercise that is named, or the current one.
Exercise named_or_current(const std::string& wanted);

/// Prints the table of ./learn list: one line per exercise, and the total.
void print_exercises(const std::vector<Exercise>& exercises, const Records& records);
/// Prints number, title, statement, and the file to edit.
void print_task(const Exercise& exercise);
/// Prints that no exercise is left.
void print_all_done(const std::vector<Exercise>& exercises, const Records& records);

}  // namespace d2l::runner
