// SPDX-License-Identifier: MIT
// Copies the results to the host instead of waiting for the devices.
// Fails: places: in the memory of cpu
// Fails: earlier: it includes copies, which the check slowed down
// May fail: finished
// Needs: 1
#include "clock.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  const auto a = copied_to(devices, A);
  const auto b = copied_to(devices, B);
  synchronize();
  TimedProducts result;
  const Clock clock;
  for (std::size_t i = 0; i < devices.size(); ++i) result.products.push_back(a[i].mm(b[i]));
  for (Tensor& product : result.products) product = product.cpu();
  result.seconds = clock.seconds();
  return result;
}
