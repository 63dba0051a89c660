// SPDX-License-Identifier: MIT
// A macro that does not compile where it is used.
#pragma once

#include <cstdlib>

#define CHECK_CALL(call)              \
  do {                                \
    const cudaError_t error = (call); \
    if (error.is_bad()) std::exit(1); \
  } while (false)
