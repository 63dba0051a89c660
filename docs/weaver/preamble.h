// SPDX-License-Identifier: MIT
// The parts of a lesson's file that no reader looks for among the cells: how it begins, and the brace that ends it.
#pragma once

#include <string>
#include <vector>

#include "output/lesson_source.h"

namespace d2l::weaver {

/// What stands in the file before its first cell: what it includes, and a picture, perhaps.
std::string beginning_of(const std::string& source, const std::vector<detail::LessonCell>& cells);
/// Whether code only closes what was opened before, such as main().
bool only_closes(const std::string& code);

}  // namespace d2l::weaver
