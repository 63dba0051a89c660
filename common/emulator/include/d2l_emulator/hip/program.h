// SPDX-License-Identifier: MIT
// What makes a program a HIP program: reports and errors then have HIP's names. No source of the emulator includes it.
#pragma once

namespace d2l::emulator {

/// From now on, this process is a HIP program.
void become_hip_program() noexcept;
inline const bool includes_hip = (become_hip_program(), true);

}  // namespace d2l::emulator
