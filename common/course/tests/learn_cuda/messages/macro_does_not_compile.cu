// SPDX-License-Identifier: MIT
// The error is in a macro of a header.
#include "macro_of_a_header.h"

int main() {
  int* x;
  CHECK_CALL(cudaMalloc(&x, 4));
}
