// SPDX-License-Identifier: MIT
// Times ten products and forgets to divide by ten.
// Fails: one: ms
// Fails: warm: ms
// May fail: earlier
// May fail: copies
#include <chrono>

#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  const Tensor a = A.to(device);
  const Tensor b = B.to(device);
  static_cast<void>(a.mm(b));
  synchronize(device);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) static_cast<void>(a.mm(b));
  synchronize(device);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
