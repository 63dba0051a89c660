// SPDX-License-Identifier: MIT
// Begins an exercise again.
#pragma once

#include <string>

namespace d2l::runner {

/// Restores the stub of an exercise and keeps what the student wrote in .learn/kept; the exit code.
int reset_exercise(const std::string& wanted);

}  // namespace d2l::runner
