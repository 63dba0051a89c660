// SPDX-License-Identifier: MIT
// What makes a program a HIP program: reports and errors then have HIP's names.
#pragma once

namespace d2l::emulator {

/// The first object of this class makes the process a HIP program.
class HipProgram {
 public:
  HipProgram() noexcept;
};
inline const HipProgram hip_program;

}  // namespace d2l::emulator
