// SPDX-License-Identifier: MIT
// Which exercise a program is of; CMake writes the definitions, beside check.cpp.
#pragma once

namespace d2l::check {

/// The exercise, as its folder tells.
struct Description {
  const char* name;    ///< "1_gpus/3_frobenius_log"
  const char* number;  ///< "1.5.3"
  const char* title;   ///< "The log of norms"
};
extern const Description description;

/// What demonstration.cpp shows of the function, such as measured times; null when the exercise has none.
extern void (*const demonstration)();

}  // namespace d2l::check
