// SPDX-License-Identifier: MIT
// Copies each pair to its device just before its product.
// Fails: at_once: copies between the first launch and the last
// Fails: earlier: when copies are slowed down
// Needs: 1
#include "steps.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  synchronize();
  TimedProducts result;
  const Clock clock;
  for (std::size_t i = 0; i < devices.size(); ++i)
    result.products.push_back(A[i].to(devices[i]).mm(B[i].to(devices[i])));
  synchronize_all(devices);
  result.seconds = clock.seconds();
  return result;
}
