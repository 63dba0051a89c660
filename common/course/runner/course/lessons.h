// SPDX-License-Identifier: MIT
// The lessons that a user names.
#pragma once

#include <string>
#include <vector>

#include "course/course.h"

namespace d2l::runner {

/// The lessons that `wanted` names: our number or the book's, a file, a chapter, or all when it is empty. Stop with a
/// list of the lessons when it names none.
std::vector<Lesson> select(const std::vector<Chapter>& course, const std::string& wanted);

/// The lesson after `lesson`; null at the end of the course.
const Lesson* after(const std::vector<Lesson>& lessons, const Lesson& lesson);

}  // namespace d2l::runner
