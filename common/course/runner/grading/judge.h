// SPDX-License-Identifier: MIT
// The judges: programs with a check and without a submission.
#pragma once

#include "grading/kit.h"
#include "grading/sandbox/sandbox.h"

namespace d2l::grading {

/// Links the judge of each check, asks it for its items, lets it draw its case from `seed`, and sorts the checks by
/// number. Stop when a judge fails.
void prepare_judges(Kit& kit, const Sandbox& sandbox, std::uint64_t seed, const std::string& virtual_gpus);

}  // namespace d2l::grading
