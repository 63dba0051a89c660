// SPDX-License-Identifier: MIT
// Adds 1 to each product, so the results are wrong.
// Fails: products: off by
#include "clock.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  const auto a = copied_to(devices, A);
  const auto b = copied_to(devices, B);
  synchronize();
  TimedProducts result;
  const Clock clock;
  for (std::size_t i = 0; i < devices.size(); ++i) result.products.push_back(a[i].mm(b[i]).add(1));
  for (const Device device : devices) synchronize(device);
  result.seconds = clock.seconds();
  return result;
}
