// SPDX-License-Identifier: MIT
// Without an argument: the names and the reports of the programs. With a name: runs that program.
#include "cuda_runtime.h"
#include "programs.h"

int main(int count, char** arguments) {
  for (const Program& one : programs()) {
    if (count < 2) {
      std::printf("%s\t%s\n", one.name, one.report);
    } else if (std::strcmp(arguments[1], one.name) == 0) {
      one.run();
      return 0;
    }
  }
  return count < 2 ? 0 : 3;
}
