// SPDX-License-Identifier: MIT
// Reads an element of each product, which waits for the product.
// Fails: at_once: waits between the first launch and the last
// May fail: earlier
// Needs: 1
#include "steps.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  return multiply_in_steps(A, B, devices, {.multiply = [](const Tensor& a, const Tensor& b, Device /*device*/) {
                             Tensor product = a.mm(b);
                             static_cast<void>(product[0][0].item<float>());
                             return product;
                           }});
}
