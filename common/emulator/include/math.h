// SPDX-License-Identifier: MIT
// The host's math.h without C++20's lerp() at namespace scope: CUDA programs, which nvcc compiles as C++17, define one.
#pragma once
#pragma GCC system_header  // for #include_next

#include <cmath>
#define lerp fma
#include_next <math.h>
#undef lerp
