// SPDX-License-Identifier: MIT
// For the macros that define the functions of textures and surfaces.
#pragma once

#include "d2l_emulator/language.h"

// NOLINTBEGIN
/// The last parameter of each function: the line that calls it.
#define D2L_HERE d2l::emulator::Place d2l_place = d2l::emulator::Place::here()
/// D2L_PARAMETERS (int x, int y) is int x, int y.
#define D2L_PARAMETERS(...) __VA_ARGS__
// NOLINTEND
