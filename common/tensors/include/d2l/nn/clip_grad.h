// SPDX-License-Identifier: MIT
/// @file
/// Gradient clipping: scales gradients whose total norm is too large.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "d2l/tensor.h"

/// Functions on the parameters of networks.
namespace d2l::nn::utils {

/// The norm of all gradients before clipping, still on its device. It converts to a tensor and, as in LibTorch, to a
/// double. The conversion to a double copies it to the host and waits.
class TotalNorm {
 public:
  /// `norm` has one element.
  explicit TotalNorm(Tensor norm) : norm_(std::move(norm)) {}
  /// The number, still on its device.
  operator Tensor() const { return norm_; }  // NOLINT(google-explicit-constructor)
  /// item().
  operator double() const { return item<double>(); }  // NOLINT(google-explicit-constructor)
  /// The number, still on its device.
  [[nodiscard]] const Tensor& tensor() const noexcept { return norm_; }
  /// The device of the norm.
  [[nodiscard]] Device device() const { return norm_.device(); }
  ///@{
  /// The number; on a GPU, reading it is an implicit copy and a synchronisation.
  [[nodiscard]] Scalar item() const { return norm_.item(); }
  template <class T>
  [[nodiscard]] T item() const {
    return norm_.item<T>();
  }
  ///@}

 private:
  Tensor norm_;
};
///@{
/// The text of the tensor.
std::string repr(const TotalNorm& norm);
std::ostream& operator<<(std::ostream& out, const TotalNorm& norm);
///@}

///@{
/// As in PyTorch, multiplies the gradients in place by min(1, max_norm / (norm + 1e-6)), where norm is that of all
/// gradients as one vector. Parameters without a gradient are ignored. Nothing is copied to the host and nothing waits,
/// unless `error_if_nonfinite`: then a norm that is nan or infinite is a ValueError, and the gradients do not change.
TotalNorm clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type = 2.0,
                          bool error_if_nonfinite = false);
TotalNorm clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type = 2.0,
                          bool error_if_nonfinite = false);
///@}

}  // namespace d2l::nn::utils
