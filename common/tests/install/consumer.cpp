// SPDX-License-Identifier: MIT
// Uses the installed library: a copy between two GPUs, and a product on the second.
#include <d2l/d2l.h>

#include <iostream>

int main() {
  const d2l::Tensor X = d2l::ones({2, 3}, d2l::gpu(0));
  const d2l::Tensor Z = X.cuda(1);
  std::cout << d2l::repr(d2l::mm(Z, Z.t())) << '\n';
}
