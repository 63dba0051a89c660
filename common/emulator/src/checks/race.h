// SPDX-License-Identifier: MIT
// Race: two accesses that nothing orders, for a picture of them.
#pragma once

#include <string>

namespace d2l::emulator {

struct Race {
  struct Side {
    std::string thread;  ///< "block (0, 0, 0), thread (3, 0, 0)"
    std::string access;  ///< "write", "read" or "atomic"
    std::string file;    ///< empty if the place is not known
    int line = 0;
  };
  std::string report;   ///< the line of the report
  std::string element;  ///< "shared values[3]"
  Side first;           ///< as it happened in this run
  Side second;
  bool same_block = true;
  std::string barrier;  ///< where the last barrier of the block was before them; empty if it had none
};

}  // namespace d2l::emulator
