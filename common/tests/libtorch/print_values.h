// SPDX-License-Identifier: MIT
// The main() of both executables: prints a line for each program, its name and its values.
#pragma once

#include <cstdio>
#include <exception>

#include "all_programs.h"

inline int print_values() {
  for (const auto& program : programs::all) {
    std::printf("%s", program.name);
    try {
      for (const double value : program.run()) std::printf(" %.9g", value);
    } catch (const std::exception& error) {
      std::printf(" stopped: %s", error.what());
    }
    std::puts("");
  }
  return 0;
}
