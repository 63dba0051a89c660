// SPDX-License-Identifier: MIT
// The exercise of a program; CMake generates the definitions.
#pragma once

namespace d2l::check {

/// The exercise.
struct Description {
  const char* name;    ///< "1_gpus/3_frobenius_log"
  const char* number;  ///< "1.5.3"
  const char* title;   ///< "The log of norms"
};
extern const Description description;

/// The function of demonstration.cpp, which shows for example measured times; null if the exercise has none.
extern void (*const demonstration)();

}  // namespace d2l::check
