// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

Tensor sum_on(const Tensor& a, const Tensor& b, Device device) {
  // TODO: cuda(index) copies to GPUs only. And what is best when a and b are on one
  // device already?
  const int index = device.index();
  return a.cuda(index).copy_to(device) + b.cuda(index).copy_to(device);
}
