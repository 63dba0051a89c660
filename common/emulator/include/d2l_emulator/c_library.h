// SPDX-License-Identifier: MIT
// Functions of the C library that differ in a kernel: malloc() and free() of memory of the device, which the checks
// know, and clock(), which counts the device's clocks as clock64() does.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <ctime>

#ifndef __CUDA__  // see cuda_runtime.h
extern "C" {      // NOLINTBEGIN: the C library's names, linked with functions of the emulator
void* malloc(std::size_t bytes) noexcept __asm__("d2l_emulator_malloc");
void free(void* memory) noexcept __asm__("d2l_emulator_free");
std::clock_t clock() noexcept __asm__("d2l_emulator_clock");
}  // NOLINTEND
#endif
