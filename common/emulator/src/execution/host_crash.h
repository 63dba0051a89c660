// SPDX-License-Identifier: MIT
// Crashes of the host's code.
#pragma once

namespace d2l::emulator {

/// With D2L_REPORT_CRASHES, which ./learn cuda sets: from now on a crash outside of kernels prints the lines of the
/// program that lead to it, before it ends the process.
void report_host_crashes();

}  // namespace d2l::emulator
