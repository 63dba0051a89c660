// SPDX-License-Identifier: MIT
// What the tests' kernels include: the language, and shared variables as the translator writes them.
#pragma once

#include "d2l_emulator/atomics.h"
#include "d2l_emulator/barriers.h"
#include "d2l_emulator/device_math.h"
#include "d2l_emulator/indices.h"
#include "d2l_emulator/language.h"
#include "d2l_emulator/warp.h"

/// `__shared__ T name;` of a kernel.
#define D2L_TEST_SHARED(name, ...)                                             \
  static thread_local ::d2l::emulator::SharedVariable<__VA_ARGS__> d2l_##name; \
  auto& name = d2l_##name.of_block(#name, __LINE__)
