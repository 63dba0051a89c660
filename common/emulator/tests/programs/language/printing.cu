// SPDX-License-Identifier: MIT
// printf and assert in a kernel.
#include <cassert>

#include "verify.h"

__global__ void hello(const char tag) {
  assert(blockDim.x == 4);
  if (threadIdx.x == 3) printf("%c: block %d of %d\n", tag, blockIdx.x, gridDim.x);
}

int main() {
  hello<<<2, 4>>>('x');
  CHECK(cudaDeviceSynchronize());
  return passed();
}
