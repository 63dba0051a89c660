// SPDX-License-Identifier: MIT
// One exercise of one student: compiled, run and judged.
#pragma once

#include <string>

#include "grading/kit.h"
#include "grading/precompiled_headers.h"
#include "grading/sandbox/sandbox.h"
#include "grading/submission.h"

namespace d2l::grading {

/// What all exercises of a grading share.
struct Context {
  const Kit& kit;
  const Sandbox& sandbox;
  PrecompiledHeaders& precompiled;
  std::filesystem::path slots;  ///< where the slots' working folders are
  std::string virtual_gpus;
  Limits limits;  ///< of a submission's program
};

/// Compiles the sources, runs them on the case of `check` and judges the outcome; no source can make it throw.
ExerciseResult grade_exercise(const Context& context, const Check& check, const Sources& sources, int slot);

/// A result in which every item failed for the same reason.
ExerciseResult failed_exercise(const Check& check, const std::string& verdict, const std::string& reason);

}  // namespace d2l::grading
