// SPDX-License-Identifier: MIT
// The report of the kernels' counts.
#pragma once

#include "d2l/kernel_report.h"

namespace d2l::emulator {

/// True if D2L_KERNEL_REPORT is set: kernels are counted, and a table goes to standard error when the process ends.
bool counts_kernels();
/// Adds the counts of a launch to those of its kernel, if counts_kernels().
void note_counts(const KernelRun& run);

}  // namespace d2l::emulator
