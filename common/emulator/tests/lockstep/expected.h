// SPDX-License-Identifier: MIT
// The random kernels of generate.cpp, and what they must count.
#pragma once

#include <vector>

namespace lockstep {

struct ExpectedLine {
  int line;
  unsigned requests;
  unsigned sectors;  ///< or passes, of shared memory
  unsigned active_lanes;
};
struct Program {
  void (*kernel)(int, const int*, int*);
  std::vector<ExpectedLine> lines;
};
extern const std::vector<Program> programs;

/// What the kernels read from shared memory; not counted as a line of theirs.
void fill(int (&table)[256]);

}  // namespace lockstep
