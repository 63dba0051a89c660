// SPDX-License-Identifier: MIT
#include <cuda.h>

int main() {
  CUmodule module;
  return cuModuleLoad(&module, "kernel.ptx");
}
