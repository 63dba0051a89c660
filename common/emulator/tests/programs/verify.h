// SPDX-License-Identifier: MIT
// What the programs share: error macros and the end of a program.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                   \
  do {                                                                                                \
    const cudaError_t error_ = (call);                                                                \
    if (error_ != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
      std::exit(EXIT_FAILURE);                                                                        \
    }                                                                                                 \
  } while (0)

#define REQUIRE(condition)                                                           \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(EXIT_FAILURE);                                                       \
    }                                                                                \
  } while (0)

inline void verify(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(EXIT_FAILURE);
}

inline int passed() {
  std::puts("PASSED");
  return 0;
}
