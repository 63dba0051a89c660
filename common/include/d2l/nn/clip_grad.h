// SPDX-License-Identifier: MIT
// Clipping: gradients that together are too long are scaled down.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "d2l/tensor.h"

namespace d2l::nn::utils {

/// The length of all gradients before they were clipped: a number that is still on its device. It is a tensor where one
/// is wanted; read as a double, as LibTorch has it, it is copied to the host, which waits.
class TotalNorm {
 public:
  explicit TotalNorm(Tensor norm) : norm_(std::move(norm)) {}
  operator Tensor() const { return norm_; }           // NOLINT(google-explicit-constructor)
  operator double() const { return item<double>(); }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] const Tensor& tensor() const noexcept { return norm_; }
  [[nodiscard]] Device device() const { return norm_.device(); }
  [[nodiscard]] Scalar item() const { return norm_.item(); }
  template <class T>
  [[nodiscard]] T item() const {
    return norm_.item<T>();
  }

 private:
  Tensor norm_;
};
std::string repr(const TotalNorm& norm);
std::ostream& operator<<(std::ostream& out, const TotalNorm& norm);

/// Multiplies the gradients in place by min(1, max_norm / (norm + 1e-6)), where norm is that of all of them as one
/// vector; parameters without a gradient are passed over. Nothing is copied to the host and nothing waits, unless
/// `error_if_nonfinite`: then a norm that is nan or infinite is a ValueError, and the gradients stay as they are.
TotalNorm clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type = 2.0,
                          bool error_if_nonfinite = false);
TotalNorm clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type = 2.0,
                          bool error_if_nonfinite = false);

}  // namespace d2l::nn::utils
