// SPDX-License-Identifier: MIT
// Which source files are headers of Thrust and of libcu++.
#pragma once

namespace d2l::emulator {

/// Whether a file is a header of Thrust, or of the emulator's part of it: reports name the line of the program that
/// called it. A folder of a program may have the name thrust, too.
bool is_file_of_thrust(const char* path);
/// Whether a file is a header of the libcu++ that Thrust is written with.
bool is_file_of_libcudacxx(const char* path);

}  // namespace d2l::emulator
