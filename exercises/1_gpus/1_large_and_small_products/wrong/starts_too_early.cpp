// SPDX-License-Identifier: MIT
// Warms up, but starts the clock while the device is still busy with the warm-up and with earlier work.
// Fails: earlier: no product was done before the clock started
// Fails: warm: no product was done before the clock started
// May fail: finished
// May fail: copies
// May fail: one
// Needs: 1
#include <chrono>

#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  const Tensor a = A.to(device);
  const Tensor b = B.to(device);
  static_cast<void>(a.mm(b));
  const auto start = std::chrono::steady_clock::now();
  static_cast<void>(a.mm(b));
  synchronize(device);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
