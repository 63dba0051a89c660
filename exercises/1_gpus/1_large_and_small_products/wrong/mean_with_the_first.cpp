// SPDX-License-Identifier: MIT
// Hopes that the mean of ten makes up for the first, slow one.
// Fails: warm: the first product, made slow by the check, is in it
#include <chrono>

#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  constexpr int products = 10;
  const Tensor a = A.to(device);
  const Tensor b = B.to(device);
  double sum = 0;
  for (int i = 0; i < products; ++i) {
    synchronize(device);
    const auto start = std::chrono::steady_clock::now();
    static_cast<void>(a.mm(b));
    synchronize(device);
    sum += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return sum / products;
}
