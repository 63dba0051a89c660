// SPDX-License-Identifier: MIT
// The parts of a lesson's file that are not shown as cells: the lines before the first cell, and the closing brace.
#pragma once

#include <string>
#include <vector>

#include "output/lesson_source.h"

namespace d2l::weaver {

/// The code before the first cell: the includes, and perhaps a picture.
std::string beginning_of(const std::string& source, const std::vector<detail::LessonCell>& cells);
/// Whether the code contains only closing braces.
bool only_closes(const std::string& code);

}  // namespace d2l::weaver
