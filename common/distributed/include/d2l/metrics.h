// SPDX-License-Identifier: MIT
/// @file
/// Metrics of the book Dive into Deep Learning: correct predictions, and sums over the batches of an epoch.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "d2l/tensor.h"

namespace d2l {

/// The number of correct predictions, an int64 tensor without dimensions on the device of `y_hat`. If `y_hat` has
/// scores (…, classes), a prediction is correct where the largest score is that of the class in `y` (…). If `y_hat` has
/// the shape of `y`, or that shape and a last dimension of 1, it is correct where the rounded number equals `y`. It
/// records no gradients and the host does not wait. ShapeError for other shapes.
Tensor accuracy(const Tensor& y_hat, const Tensor& y);

/// Sums of numbers and of tensors without dimensions. What is a tensor is added on its device, in float64, and the host
/// neither copies nor waits until a sum is read.
class Accumulator {
 public:
  /// What can be added: a number, or a tensor of one element.
  class Addend {
   public:
    /// A number.
    template <class T>
    requires(std::integral<T> || std::floating_point<T>) Addend(T number)
        : number_(static_cast<double>(number)) {}  // NOLINT(google-explicit-constructor)
    /// A tensor of one element.
    Addend(Tensor tensor) : tensor_(std::move(tensor)), is_tensor_(true) {}  // NOLINT(google-explicit-constructor)

   private:
    friend class Accumulator;
    double number_ = 0;
    Tensor tensor_;
    bool is_tensor_ = false;
  };

  /// `count` sums, which are 0; ValueError if it is negative.
  explicit Accumulator(std::int64_t count);

  /// Adds one value to each sum; ValueError for another number of values or an undefined tensor, ShapeError for a
  /// tensor of more than one element, DeviceError for a tensor on another GPU than those before.
  template <std::convertible_to<Addend>... Values>
  void add(const Values&... values) {
    add_all({Addend(values)...});
  }
  /// Sets the sums to 0.
  void reset();
  /// The number of sums.
  [[nodiscard]] std::size_t size() const noexcept { return sums_.size(); }
  /// A sum, which the host copies from its device, after it has waited for it; IndexError unless `index` is one of the
  /// sums, or negative and counted from the end.
  double operator[](std::int64_t index) const;

 private:
  /// What was added as numbers, and the sum of what was added as tensors.
  struct Sum {
    double numbers = 0;
    Tensor tensors;
  };

  void add_all(std::initializer_list<Addend> values);

  std::vector<Sum> sums_;
};

}  // namespace d2l
