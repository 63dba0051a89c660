// SPDX-License-Identifier: MIT
// Reads an element to make sure that the product is finished. It is finished then, but the copy is timed too.
// Fails: copies: it includes a copy, which the check slowed down
// May fail: one
// Needs: 1
#include <chrono>

#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  const Tensor a = A.to(device);
  const Tensor b = B.to(device);
  static_cast<void>(a.mm(b)[0][0].item<float>());
  const auto start = std::chrono::steady_clock::now();
  static_cast<void>(a.mm(b)[0][0].item<float>());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
