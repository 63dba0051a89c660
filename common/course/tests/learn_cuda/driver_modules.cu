// SPDX-License-Identifier: MIT
#include <cuda.h>

int main() {
  CUlinkState state;
  return cuLinkCreate(0, nullptr, nullptr, &state);
}
