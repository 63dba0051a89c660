// SPDX-License-Identifier: MIT
// Waits for each product before it issues the next, so the GPUs take turns.
// Fails: at_once: waits between the first launch and the last
// Needs: 1
#include "steps.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  return multiply_in_steps(A, B, devices, {.multiply = [](const Tensor& a, const Tensor& b, Device device) {
                             Tensor product = a.mm(b);
                             synchronize(device);
                             return product;
                           }});
}
