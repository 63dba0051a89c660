// SPDX-License-Identifier: MIT
// Where a program allocates memory, and what it never frees.
#pragma once

#include <cstddef>
#include <string>

#include "d2l_emulator/runtime_api.h"

namespace d2l::emulator {

/// "cudaMalloc at main.cu:12", or "cudaMalloc" if the place is not known.
std::string with_place(const char* call);

/// With D2L_CHECK_LEAKS=1, memory that is allocated and not freed is reported when the process ends: by this text.
void note_allocated(const void* memory, std::size_t bytes, const std::string& what);
void note_freed(const void* memory);

}  // namespace d2l::emulator
