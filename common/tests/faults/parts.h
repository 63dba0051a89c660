// SPDX-License-Identifier: MIT
// The parts of faults_program that are not in program.cpp; each returns the exit code.
#pragma once

namespace d2l::faults {

int no_memory();
int no_memory_at_all();

}  // namespace d2l::faults
