// SPDX-License-Identifier: MIT
// What the tests of gradients begin with, and how messages name a tensor's type.
#pragma once

#include <initializer_list>
#include <string>

#include "every_device.h"

namespace d2l::testing {

inline Tensor leaf(std::initializer_list<TensorData> numbers, Device device) {
  return tensor(numbers, TensorOptions(device).dtype(kFloat).requires_grad(true));
}

inline std::string type_on(Device device, const std::string& name) {
  return "torch." + std::string(device.is_cpu() ? "" : "cuda.") + name;
}

}  // namespace d2l::testing
