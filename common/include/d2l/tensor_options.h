// SPDX-License-Identifier: MIT
/// @file
/// TensorOptions: the dtype, device and kind of memory that a new tensor is to have, and whether it wants gradients.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "d2l/device.h"
#include "d2l/dtype.h"

namespace d2l {

/// What a factory makes; a dtype or a device alone converts to it. What is unset is float32, on the CPU, pageable.
class TensorOptions {
 public:
  /// With nothing set.
  TensorOptions() = default;
  /// With a dtype.
  TensorOptions(ScalarType type) : dtype_(type) {}  // NOLINT(google-explicit-constructor)
  ///@{
  /// With a device.
  TensorOptions(Device device) : device_(device) {}  // NOLINT(google-explicit-constructor)
  TensorOptions(DeviceType type) : device_(type) {}  // NOLINT(google-explicit-constructor)
  ///@}
  /// With a device from text, "cuda:1", and the errors of Device; a template, so that a 0 among numbers is not taken
  /// for a null text.
  template <class Text>
  requires std::is_convertible_v<const Text&, std::string> TensorOptions(const Text& device)
      : device_(std::string(device)) {}  // NOLINT(google-explicit-constructor)

  /// The same with another dtype.
  [[nodiscard]] TensorOptions dtype(ScalarType type) const {
    auto copy = *this;
    copy.dtype_ = type;
    return copy;
  }
  /// The same with the dtype of a C++ type, as in `dtype<double>()`.
  template <class T>
  [[nodiscard]] TensorOptions dtype() const {
    return dtype(CppTypeToScalarType<T>::value);
  }
  ///@{
  /// The same with another device; with one that does not exist a factory has a DeviceError.
  [[nodiscard]] TensorOptions device(Device where) const {
    auto copy = *this;
    copy.device_ = where;
    return copy;
  }
  [[nodiscard]] TensorOptions device(DeviceType type, int index) const { return device(Device(type, index)); }
  ///@}
  /// The same with, or without, pinned memory: what a GPU copies from and to without the CPU's help; for CPU tensors.
  [[nodiscard]] TensorOptions pinned_memory(bool pinned) const {
    auto copy = *this;
    copy.pinned_ = pinned;
    return copy;
  }

  /// The same with, or without, a record of the operations on the new tensor for backward(); with it a
  /// factory has a TypeError unless the dtype is floating point.
  [[nodiscard]] TensorOptions requires_grad(bool requires_grad) const {
    auto copy = *this;
    copy.requires_grad_ = requires_grad;
    return copy;
  }

  /// The dtype; float32 when none is set.
  [[nodiscard]] ScalarType dtype() const noexcept { return dtype_.value_or(kFloat); }
  /// The device; the CPU when none is set.
  [[nodiscard]] Device device() const { return device_.value_or(Device(kCPU)); }
  /// Whether pinned memory is wanted.
  [[nodiscard]] bool pinned_memory() const noexcept { return pinned_; }
  /// Whether gradients are wanted.
  [[nodiscard]] bool requires_grad() const noexcept { return requires_grad_; }
  /// Whether a dtype is set.
  [[nodiscard]] bool has_dtype() const noexcept { return dtype_.has_value(); }
  /// Whether a device is set.
  [[nodiscard]] bool has_device() const noexcept { return device_.has_value(); }

 private:
  std::optional<ScalarType> dtype_;
  std::optional<Device> device_;
  bool pinned_ = false;
  bool requires_grad_ = false;
};

///@{
/// Options with only a dtype, or only a device, set.
inline TensorOptions dtype(ScalarType type) { return {type}; }
inline TensorOptions device(Device where) { return {where}; }
///@}
/// Options of a tensor that gradients are wanted for.
inline TensorOptions requires_grad(bool requires_grad = true) { return TensorOptions().requires_grad(requires_grad); }

}  // namespace d2l
