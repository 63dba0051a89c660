// SPDX-License-Identifier: MIT
// malloc() and free() of a program: in a kernel they give memory of the device, which the checks know.
#pragma once

#include <cstddef>
#include <cstdlib>

extern "C" {  // NOLINTBEGIN: the C library's names, linked with functions of the emulator
void* malloc(std::size_t bytes) noexcept __asm__("d2l_emulator_malloc");
void free(void* memory) noexcept __asm__("d2l_emulator_free");
}  // NOLINTEND
