// SPDX-License-Identifier: MIT
// Waits in the right places, but times the very first product.
// Fails: warm: no product was done before the clock started
// Fails: one: no product was done before the clock started
// May fail: earlier
// May fail: copies
#include <chrono>

#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  const Tensor a = A.to(device);
  const Tensor b = B.to(device);
  synchronize(device);
  const auto start = std::chrono::steady_clock::now();
  static_cast<void>(a.mm(b));
  synchronize(device);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
