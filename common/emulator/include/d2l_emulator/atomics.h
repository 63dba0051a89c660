// SPDX-License-Identifier: MIT
// CUDA's atomic functions, on the types that CUDA has them for. Each returns the old value.
#pragma once

// NOLINTBEGIN: the names are CUDA's.
#define D2L_ATOMIC(NAME, TYPE)                  \
  TYPE NAME(TYPE* address, TYPE value);         \
  TYPE NAME##_block(TYPE* address, TYPE value); \
  TYPE NAME##_system(TYPE* address, TYPE value);
#define D2L_ATOMIC_CAS(TYPE)                                      \
  TYPE atomicCAS(TYPE* address, TYPE expected, TYPE value);       \
  TYPE atomicCAS_block(TYPE* address, TYPE expected, TYPE value); \
  TYPE atomicCAS_system(TYPE* address, TYPE expected, TYPE value);
#include "d2l_emulator/atomic_functions.def"
#undef D2L_ATOMIC
#undef D2L_ATOMIC_CAS
// NOLINTEND
