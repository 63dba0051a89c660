// SPDX-License-Identifier: MIT
// Starts the clock correctly, but stops it when the product has only been issued.
// Fails: finished: the clock was read before the product was finished
// Needs: 1
#include <chrono>

#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  const Tensor a = A.to(device);
  const Tensor b = B.to(device);
  static_cast<void>(a.mm(b));
  synchronize(device);
  const auto start = std::chrono::steady_clock::now();
  static_cast<void>(a.mm(b));
  const auto stop = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(stop - start).count();
}
