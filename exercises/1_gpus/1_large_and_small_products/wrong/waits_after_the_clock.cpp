// SPDX-License-Identifier: MIT
// Waits for the device, but one line too late. It times ten products, so that the time is long enough to measure.
// Fails: finished: the clock was read before the product was finished
// Needs: 1
#include <chrono>

#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  constexpr int products = 10;
  const Tensor a = A.to(device);
  const Tensor b = B.to(device);
  static_cast<void>(a.mm(b));
  synchronize(device);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < products; ++i) static_cast<void>(a.mm(b));
  const auto stop = std::chrono::steady_clock::now();
  synchronize(device);
  return std::chrono::duration<double>(stop - start).count() / products;
}
