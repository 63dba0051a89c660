// SPDX-License-Identifier: MIT
// The exercises that a user names, and their statements.
#pragma once

#include <string>
#include <vector>

#include "course/course.h"

namespace d2l::runner {

/// The exercises that `wanted` names: a number or its beginning (1.5), a folder or a part of its name, a path, a
/// chapter, or nothing for all. Stop with a list of the exercises when it names none.
std::vector<Exercise> select(const std::vector<Exercise>& exercises, const std::string& wanted);
/// The one exercise that `wanted` names; Stop with the candidates when there are several.
const Exercise& select_one(const std::vector<Exercise>& exercises, const std::string& wanted);

/// Copies the stub to the file that the student edits when the student has no such file yet.
void ensure_source(const Exercise& exercise);

/// The statement of an exercise: the comment of exercise.h below its title, without the comment marks.
std::string statement(const Exercise& exercise);

}  // namespace d2l::runner
