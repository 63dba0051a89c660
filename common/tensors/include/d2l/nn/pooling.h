// SPDX-License-Identifier: MIT
/// @file
/// MaxPool2d, AvgPool2d and AdaptiveAvgPool2d: the largest or the average element of each window of an image.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "d2l/layer_ops.h"
#include "d2l/nn/expanding_array.h"
#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// The windows of MaxPool2d.
class MaxPool2dOptions {
 public:
  /// Windows of this size {height, width}, side by side.
  MaxPool2dOptions(const ExpandingArray<2>& kernel_size)  // NOLINT(google-explicit-constructor)
      : kernel_size_(kernel_size), stride_(kernel_size) {}
  /// The size of a window.
  MaxPool2dOptions& kernel_size(const ExpandingArray<2>& size) {
    kernel_size_ = size;
    return *this;
  }
  /// The distance from one window to the next; by default the kernel size that the constructor got.
  MaxPool2dOptions& stride(const ExpandingArray<2>& stride) {
    stride_ = stride;
    return *this;
  }
  /// The elements added on each side, which are never the largest; by default 0.
  MaxPool2dOptions& padding(const ExpandingArray<2>& padding) {
    padding_ = padding;
    return *this;
  }
  /// The distance from one element of a window to the next; by default 1.
  MaxPool2dOptions& dilation(const ExpandingArray<2>& dilation) {
    dilation_ = dilation;
    return *this;
  }
  /// Whether a last window may be only partly in the image; by default false.
  MaxPool2dOptions& ceil_mode(bool ceil_mode) {
    ceil_mode_ = ceil_mode;
    return *this;
  }
  /// The size of a window.
  [[nodiscard]] const ExpandingArray<2>& kernel_size() const noexcept { return kernel_size_; }
  /// The distance from one window to the next.
  [[nodiscard]] const ExpandingArray<2>& stride() const noexcept { return stride_; }
  /// The elements added on each side.
  [[nodiscard]] const ExpandingArray<2>& padding() const noexcept { return padding_; }
  /// The distance from one element of a window to the next.
  [[nodiscard]] const ExpandingArray<2>& dilation() const noexcept { return dilation_; }
  /// Whether a last window may be only partly in the image.
  [[nodiscard]] bool ceil_mode() const noexcept { return ceil_mode_; }

 private:
  ExpandingArray<2> kernel_size_;
  ExpandingArray<2> stride_;
  ExpandingArray<2> padding_ = 0;
  ExpandingArray<2> dilation_ = 1;
  bool ceil_mode_ = false;
};

/// The windows of AvgPool2d, and what their sums are divided by.
class AvgPool2dOptions {
 public:
  /// Windows of this size {height, width}, side by side.
  AvgPool2dOptions(const ExpandingArray<2>& kernel_size)  // NOLINT(google-explicit-constructor)
      : kernel_size_(kernel_size), stride_(kernel_size) {}
  /// The size of a window.
  AvgPool2dOptions& kernel_size(const ExpandingArray<2>& size) {
    kernel_size_ = size;
    return *this;
  }
  /// The distance from one window to the next; by default the kernel size that the constructor got.
  AvgPool2dOptions& stride(const ExpandingArray<2>& stride) {
    stride_ = stride;
    return *this;
  }
  /// The zeros added on each side; by default none.
  AvgPool2dOptions& padding(const ExpandingArray<2>& padding) {
    padding_ = padding;
    return *this;
  }
  /// Whether a last window may be only partly in the image; by default false.
  AvgPool2dOptions& ceil_mode(bool ceil_mode) {
    ceil_mode_ = ceil_mode;
    return *this;
  }
  /// Whether the elements in the padding count; by default true.
  AvgPool2dOptions& count_include_pad(bool count_include_pad) {
    count_include_pad_ = count_include_pad;
    return *this;
  }
  /// What each sum is divided by in place of the count of its elements.
  AvgPool2dOptions& divisor_override(std::optional<std::int64_t> divisor) {
    divisor_override_ = divisor;
    return *this;
  }
  /// The size of a window.
  [[nodiscard]] const ExpandingArray<2>& kernel_size() const noexcept { return kernel_size_; }
  /// The distance from one window to the next.
  [[nodiscard]] const ExpandingArray<2>& stride() const noexcept { return stride_; }
  /// The zeros added on each side.
  [[nodiscard]] const ExpandingArray<2>& padding() const noexcept { return padding_; }
  /// Whether a last window may be only partly in the image.
  [[nodiscard]] bool ceil_mode() const noexcept { return ceil_mode_; }
  /// Whether the elements in the padding count.
  [[nodiscard]] bool count_include_pad() const noexcept { return count_include_pad_; }
  /// What each sum is divided by in place of the count of its elements.
  [[nodiscard]] std::optional<std::int64_t> divisor_override() const noexcept { return divisor_override_; }

 private:
  ExpandingArray<2> kernel_size_;
  ExpandingArray<2> stride_;
  ExpandingArray<2> padding_ = 0;
  bool ceil_mode_ = false;
  bool count_include_pad_ = true;
  std::optional<std::int64_t> divisor_override_;
};

/// The size of the result of AdaptiveAvgPool2d.
class AdaptiveAvgPool2dOptions {
 public:
  /// One size, or {height, width}, either of which may be nullopt: that of the input.
  AdaptiveAvgPool2dOptions(const ExpandingArrayWithOptionalElem<2>& output_size)  // NOLINT(google-explicit-constructor)
      : output_size_(output_size) {}
  /// One size, or {height, width}.
  AdaptiveAvgPool2dOptions& output_size(const ExpandingArrayWithOptionalElem<2>& size) {
    output_size_ = size;
    return *this;
  }
  /// {height, width}.
  [[nodiscard]] const ExpandingArrayWithOptionalElem<2>& output_size() const noexcept { return output_size_; }

 private:
  ExpandingArrayWithOptionalElem<2> output_size_;
};

/// The largest element of each window.
class MaxPool2dImpl : public Module {
 public:
  ///@{
  /// A layer with these windows, which forward() checks.
  MaxPool2dImpl(const ExpandingArray<2>& kernel_size) : options(kernel_size) {}  // NOLINT(google-explicit-constructor)
  explicit MaxPool2dImpl(const MaxPool2dOptions& chosen) : options(chosen) {}
  ///@}

  /// (N, C, H, W) or (C, H, W), with the number of windows in place of H and W; errors as max_pool2d().
  Tensor forward(const Tensor& input) override;
  /// The same, and the int64 index of each result in its image; errors as max_pool2d().
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input) const;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  MaxPool2dOptions options;  ///< as given
};
/// Holds a MaxPool2dImpl: `nn::MaxPool2d(2)`.
D2L_MODULE(MaxPool2d);

/// The average of each window.
class AvgPool2dImpl : public Module {
 public:
  ///@{
  /// A layer with these windows, which forward() checks.
  AvgPool2dImpl(const ExpandingArray<2>& kernel_size) : options(kernel_size) {}  // NOLINT(google-explicit-constructor)
  explicit AvgPool2dImpl(const AvgPool2dOptions& chosen) : options(chosen) {}
  ///@}

  /// (N, C, H, W) or (C, H, W), with the number of windows in place of H and W; errors as avg_pool2d().
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  AvgPool2dOptions options;  ///< as given
};
/// Holds an AvgPool2dImpl: `nn::AvgPool2d(2)`.
D2L_MODULE(AvgPool2d);

/// The averages of windows that divide an image of any size into one size.
class AdaptiveAvgPool2dImpl : public Module {
 public:
  ///@{
  /// A layer with a result of this size, which forward() checks.
  AdaptiveAvgPool2dImpl(const ExpandingArrayWithOptionalElem<2>& output_size)  // NOLINT(google-explicit-constructor)
      : options(output_size) {}
  explicit AdaptiveAvgPool2dImpl(const AdaptiveAvgPool2dOptions& chosen) : options(chosen) {}
  ///@}

  /// (N, C, H, W) or (C, H, W), with the output size in place of H and W; errors as adaptive_avg_pool2d().
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  AdaptiveAvgPool2dOptions options;  ///< as given
};
/// Holds an AdaptiveAvgPool2dImpl: `nn::AdaptiveAvgPool2d(1)`.
D2L_MODULE(AdaptiveAvgPool2d);

namespace functional {

using MaxPool2dFuncOptions = MaxPool2dOptions;                  ///< the options of max_pool2d()
using AvgPool2dFuncOptions = AvgPool2dOptions;                  ///< the options of avg_pool2d()
using AdaptiveAvgPool2dFuncOptions = AdaptiveAvgPool2dOptions;  ///< the options of adaptive_avg_pool2d()

///@{
/// The largest element of each window, and its index in its image; see d2l::max_pool2d().
Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& options);
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, const MaxPool2dFuncOptions& options);
///@}
/// The average of each window; see d2l::avg_pool2d().
Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& options);
/// The averages of a given number of windows; see d2l::adaptive_avg_pool2d().
Tensor adaptive_avg_pool2d(const Tensor& input, const AdaptiveAvgPool2dFuncOptions& options);

}  // namespace functional
}  // namespace d2l::nn
