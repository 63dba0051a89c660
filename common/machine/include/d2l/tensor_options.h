// SPDX-License-Identifier: MIT
/// @file
/// TensorOptions: the dtype, device and kind of memory of a new tensor, and whether it requires gradients.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "d2l/device.h"
#include "d2l/dtype.h"

namespace d2l {

/// The options of a factory. A dtype or a device converts to it; the defaults are float32, the CPU, pageable memory.
class TensorOptions {
 public:
  /// The default options.
  TensorOptions() = default;
  /// Options with a dtype.
  TensorOptions(ScalarType type) : dtype_(type) {}  // NOLINT(google-explicit-constructor)
  ///@{
  /// Options with a device.
  TensorOptions(Device device) : device_(device) {}  // NOLINT(google-explicit-constructor)
  TensorOptions(DeviceType type) : device_(type) {}  // NOLINT(google-explicit-constructor)
  ///@}
  /// Options with a device from text such as "cuda:1"; DeviceError if it cannot be parsed. It is a template so that 0
  /// does not convert to a null text.
  template <class Text>
  requires std::is_convertible_v<const Text&, std::string> TensorOptions(const Text& device)
      : device_(std::string(device)) {}  // NOLINT(google-explicit-constructor)

  /// A copy with another dtype.
  [[nodiscard]] TensorOptions dtype(ScalarType type) const {
    auto copy = *this;
    copy.dtype_ = type;
    return copy;
  }
  /// A copy with the dtype of a C++ type, as in `dtype<double>()`.
  template <class T>
  [[nodiscard]] TensorOptions dtype() const {
    return dtype(CppTypeToScalarType<T>::value);
  }
  ///@{
  /// A copy with another device; a factory throws DeviceError if the device does not exist.
  [[nodiscard]] TensorOptions device(Device where) const {
    auto copy = *this;
    copy.device_ = where;
    return copy;
  }
  [[nodiscard]] TensorOptions device(DeviceType type, int index) const { return device(Device(type, index)); }
  ///@}
  /// A copy with or without pinned memory, which a GPU can read and write directly; for CPU tensors.
  [[nodiscard]] TensorOptions pinned_memory(bool pinned) const {
    auto copy = *this;
    copy.pinned_ = pinned;
    return copy;
  }

  /// A copy with or without gradients: whether operations on the new tensor are recorded for backward(). A factory
  /// throws TypeError if gradients are required and the dtype is not floating point.
  [[nodiscard]] TensorOptions requires_grad(bool requires_grad) const {
    auto copy = *this;
    copy.requires_grad_ = requires_grad;
    return copy;
  }

  /// The dtype; float32 by default.
  [[nodiscard]] ScalarType dtype() const noexcept { return dtype_.value_or(kFloat); }
  /// The device; the CPU by default.
  [[nodiscard]] Device device() const { return device_.value_or(Device(kCPU)); }
  /// True for pinned memory.
  [[nodiscard]] bool pinned_memory() const noexcept { return pinned_; }
  /// True if the tensor requires gradients.
  [[nodiscard]] bool requires_grad() const noexcept { return requires_grad_; }
  /// True if a dtype is set.
  [[nodiscard]] bool has_dtype() const noexcept { return dtype_.has_value(); }
  /// True if a device is set.
  [[nodiscard]] bool has_device() const noexcept { return device_.has_value(); }

 private:
  std::optional<ScalarType> dtype_;
  std::optional<Device> device_;
  bool pinned_ = false;
  bool requires_grad_ = false;
};

///@{
/// Options with only a dtype or only a device.
inline TensorOptions dtype(ScalarType type) { return {type}; }
inline TensorOptions device(Device where) { return {where}; }
///@}
/// Options of a tensor that requires gradients.
inline TensorOptions requires_grad(bool requires_grad = true) { return TensorOptions().requires_grad(requires_grad); }

}  // namespace d2l
