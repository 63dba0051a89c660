// SPDX-License-Identifier: MIT
// Multiplies in float64, to be exact, and returns the products in float32.
// Fails: places: a product of torch.float64
// May fail: at_once
// May fail: earlier
// May fail: finished
#include "steps.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  std::vector<Tensor> a;
  std::vector<Tensor> b;
  for (const Tensor& one : A) a.push_back(one.to(kDouble));
  for (const Tensor& one : B) b.push_back(one.to(kDouble));
  auto result = multiply_in_steps(a, b, devices);
  for (Tensor& product : result.products) product = product.to(kFloat);
  return result;
}
