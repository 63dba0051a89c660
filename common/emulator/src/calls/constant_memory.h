// SPDX-License-Identifier: MIT
// How much constant memory the variables of a program need: a card has 64 KiB, and nvcc refuses more.
#pragma once

#include <cstddef>
#include <string>

namespace d2l::emulator {

void note_constant_variable(const char* name, std::size_t bytes);
/// The report of variables that do not fit; empty if they do.
std::string too_much_constant_memory();

}  // namespace d2l::emulator
