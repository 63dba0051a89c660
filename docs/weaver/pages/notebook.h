// SPDX-License-Identifier: MIT
// A lesson as a Jupyter notebook: prose, code cells that d2l_notebook.py runs, and their captured outputs.
#pragma once

#include <string>

#include "course/course.h"
#include "outputs/captures.h"

namespace d2l::weaver {

/// The notebook's JSON (nbformat 4.5). Its first cell clones the course from `address`; empty if that is unknown.
std::string notebook(const runner::Lesson& lesson, const std::string& source, const Capture& capture,
                     const std::string& address);

}  // namespace d2l::weaver
