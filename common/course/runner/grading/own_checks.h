// SPDX-License-Identifier: MIT
#pragma once

#include "grading/kit.h"
#include "grading/sandbox/sandbox.h"

namespace d2l::grading {

/// Compiles an instructor's own checks: `folder`/CHAPTER/NAME/check.cpp replaces the course's check of that exercise,
/// or adds one, with its exercise.h beside it. Stop when a check does not compile.
void take_own_checks(Kit& kit, const std::filesystem::path& folder, const Sandbox& sandbox);

}  // namespace d2l::grading
