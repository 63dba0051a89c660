// SPDX-License-Identifier: MIT
// A lesson as a Jupyter notebook: its prose, its code in cells that run by d2l_notebook.py, and what they showed.
#pragma once

#include <string>

#include "captures.h"
#include "course/course.h"

namespace d2l::weaver {

/// The notebook's JSON (nbformat 4.5). `address` is where its first cell fetches the course from; empty when nobody
/// said.
std::string notebook(const runner::Lesson& lesson, const std::string& source, const Capture& capture,
                     const std::string& address);

}  // namespace d2l::weaver
