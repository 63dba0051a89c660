// SPDX-License-Identifier: MIT
// One exercise of one student: compiled, run and judged.
#pragma once

#include <string>

#include "kit.h"
#include "results.h"
#include "submission.h"

namespace d2l::grading {

/// What holds for every exercise of a grading.
struct Terms {
  const Kit& kit;
  const Sandbox& sandbox;
  std::filesystem::path slots;  ///< the folder of the slots' working folders
  std::string virtual_gpus;
  Limits limits;  ///< of a submission's program
};

/// Compiles the sources, runs them on the case of `check`, and judges what they left; never throws for what a source
/// does.
ExerciseResult grade_exercise(const Terms& terms, const Check& check, const Sources& sources, int slot);

/// Every item failed, for one reason.
ExerciseResult failed_exercise(const Check& check, const std::string& verdict, const std::string& reason);

/// The first thing that a compiler or linker said against `exercise.cpp`, in a few words.
std::string compiler_words(const std::string& output);

}  // namespace d2l::grading
