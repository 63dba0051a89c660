// SPDX-License-Identifier: MIT
// Computes everything on the first device and copies each result to its device.
// Fails: places: one too many on cuda
// May fail: earlier
// Needs: 2
#include "clock.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  const std::vector<Device> first(devices.size(), devices.front());
  const auto a = copied_to(first, A);
  const auto b = copied_to(first, B);
  synchronize();
  TimedProducts result;
  const Clock clock;
  for (std::size_t i = 0; i < devices.size(); ++i) result.products.push_back(a[i].mm(b[i]));
  for (const Device device : devices) synchronize(device);
  result.seconds = clock.seconds();
  for (std::size_t i = 0; i < devices.size(); ++i) result.products[i] = result.products[i].to(devices[i]);
  return result;
}
