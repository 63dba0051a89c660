// SPDX-License-Identifier: MIT
// Computes everything on the first device and copies each result to its device.
// Fails: places: one too many on cuda
// May fail: earlier
// Needs: 2
#include "steps.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  auto result = multiply_in_steps(A, B, std::vector<Device>(devices.size(), devices.front()));
  for (std::size_t i = 0; i < devices.size(); ++i) result.products[i] = result.products[i].to(devices[i]);
  return result;
}
