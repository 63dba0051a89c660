// SPDX-License-Identifier: MIT
// Warms up after it waited for the devices, so they are still busy with the warm-up when the clock starts.
// Fails: earlier: matmul on cuda
// Needs: 1
#include "steps.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  std::vector<Tensor> small;
  for (const Device device : devices) small.push_back(ones({2, 2}).to(device));
  return multiply_in_steps(A, B, devices, {.before_the_clock = [&] {
                             synchronize();
                             for (const Tensor& matrix : small) static_cast<void>(matrix.mm(matrix));
                           }});
}
