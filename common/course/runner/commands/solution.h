// SPDX-License-Identifier: MIT
// Shows solutions.
#pragma once

#include "commands/subcommand.h"

namespace d2l::runner {

/// Shows the solution of an exercise that is passed, or with --spoil of any; with --demonstrate what it does.
int show_solution(const Options& options);

}  // namespace d2l::runner
