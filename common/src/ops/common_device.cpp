// SPDX-License-Identifier: MIT
// The device of an operation: that of its operands.
#include "ops/common_device.h"

#include <fmt/format.h>

#include "core/messages.h"

namespace d2l::detail {

namespace {

[[noreturn]] void fail_devices(std::string_view operation, Device first, Device other,
                               std::initializer_list<const TensorImpl*> tensors,
                               const OperandNames& names = {"a", "b", "c"}) {
  std::array<std::pair<std::string_view, const TensorImpl*>, 3> named{
      {{names[0], nullptr}, {names[1], nullptr}, {names[2], nullptr}}};
  std::size_t i = 0;
  for (const auto* tensor : tensors) {
    if (i < named.size()) named[i++].second = tensor;
  }
  fail<DeviceError>(operation,
                    fmt::format("Expected all tensors to be on the same device, but found at least two devices, {} and "
                                "{}!",
                                first.str(), other.str()),
                    operands({named[0], named[1], named[2]}),
                    fmt::format("move one of them first, for example {}.to({}.device())", names[1], names[0]));
}

}  // namespace

Device common_device(const char* operation, std::initializer_list<const TensorImpl*> tensors) {
  Device common(kCPU);
  for (const auto* tensor : tensors) {
    if (!tensor->device().is_cpu()) {
      common = tensor->device();
      break;
    }
  }
  for (const auto* tensor : tensors) {
    if (tensor->device() == common) continue;
    if (tensor->device().is_cpu() && tensor->sizes.count == 0) continue;
    fail_devices(operation, common, tensor->device(), tensors);
  }
  return common;
}

Device same_device(const char* operation, std::initializer_list<const TensorImpl*> tensors, const OperandNames& names) {
  const Device first = (*tensors.begin())->device();
  for (const auto* tensor : tensors) {
    if (!(tensor->device() == first)) fail_devices(operation, first, tensor->device(), tensors, names);
  }
  return first;
}

}  // namespace d2l::detail
