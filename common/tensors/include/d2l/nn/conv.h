// SPDX-License-Identifier: MIT
/// @file
/// Conv2d and LazyConv2d: convolutional layers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <variant>

#include "d2l/layer_ops.h"
#include "d2l/nn/expanding_array.h"
#include "d2l/nn/module_holder.h"

namespace d2l {

/// Types whose values are options, as in LibTorch.
namespace enumtype {
struct kValid {};  ///< the type of d2l::kValid
struct kSame {};   ///< the type of d2l::kSame
}  // namespace enumtype
inline constexpr enumtype::kValid kValid{};  ///< no padding
inline constexpr enumtype::kSame kSame{};    ///< padding by which an output has the height and width of the input

namespace nn {

/// The padding of a convolution: numbers, kValid or kSame.
using Conv2dPadding = std::variant<ExpandingArray<2>, enumtype::kValid, enumtype::kSame>;

/// The sizes of a convolutional layer, how its window moves, and the device and dtype of its parameters. A number for
/// the window is one for height and width, or a pair {height, width}.
class Conv2dOptions {
 public:
  /// A layer with a bias, of float32, on the CPU.
  Conv2dOptions(std::int64_t in_channels, std::int64_t out_channels, ExpandingArray<2> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels), kernel_size_(kernel_size) {}
  /// The channels of an input.
  Conv2dOptions& in_channels(std::int64_t count) {
    in_channels_ = count;
    return *this;
  }
  /// The channels of an output.
  Conv2dOptions& out_channels(std::int64_t count) {
    out_channels_ = count;
    return *this;
  }
  /// The height and width of the window.
  Conv2dOptions& kernel_size(ExpandingArray<2> size) {
    kernel_size_ = size;
    return *this;
  }
  /// From one position of the window to the next; by default 1.
  Conv2dOptions& stride(ExpandingArray<2> stride) {
    stride_ = stride;
    return *this;
  }
  ///@{
  /// Zeros that are added on each side, kValid or kSame; by default 0.
  Conv2dOptions& padding(const Conv2dPadding& padding) {
    padding_ = padding;
    return *this;
  }
  Conv2dOptions& padding(std::initializer_list<std::int64_t> padding) {
    padding_ = ExpandingArray<2>(padding);
    return *this;
  }
  ///@}
  /// From one element of the window to the next; by default 1.
  Conv2dOptions& dilation(ExpandingArray<2> dilation) {
    dilation_ = dilation;
    return *this;
  }
  /// The groups of channels, each with its own outputs; by default 1.
  Conv2dOptions& groups(std::int64_t groups) {
    groups_ = groups;
    return *this;
  }
  /// Whether there is a bias.
  Conv2dOptions& bias(bool bias) {
    bias_ = bias;
    return *this;
  }
  /// The device of the parameters.
  Conv2dOptions& device(Device device) {
    parameters_ = parameters_.device(device);
    return *this;
  }
  /// The dtype of the parameters; floating point.
  Conv2dOptions& dtype(ScalarType dtype) {
    parameters_ = parameters_.dtype(dtype);
    return *this;
  }
  /// The channels of an input; 0 in a lazy layer before its first input.
  [[nodiscard]] std::int64_t in_channels() const noexcept { return in_channels_; }
  /// The channels of an output.
  [[nodiscard]] std::int64_t out_channels() const noexcept { return out_channels_; }
  /// The height and width of the window.
  [[nodiscard]] const ExpandingArray<2>& kernel_size() const noexcept { return kernel_size_; }
  /// From one position of the window to the next.
  [[nodiscard]] const ExpandingArray<2>& stride() const noexcept { return stride_; }
  /// Zeros that are added on each side, kValid or kSame.
  [[nodiscard]] const Conv2dPadding& padding() const noexcept { return padding_; }
  /// From one element of the window to the next.
  [[nodiscard]] const ExpandingArray<2>& dilation() const noexcept { return dilation_; }
  /// The groups of channels.
  [[nodiscard]] std::int64_t groups() const noexcept { return groups_; }
  /// Whether there is a bias.
  [[nodiscard]] bool bias() const noexcept { return bias_; }
  /// Device and dtype of the parameters.
  [[nodiscard]] const TensorOptions& parameters() const noexcept { return parameters_; }

 private:
  std::int64_t in_channels_;
  std::int64_t out_channels_;
  ExpandingArray<2> kernel_size_;
  ExpandingArray<2> stride_ = 1;
  Conv2dPadding padding_ = ExpandingArray<2>(0);
  ExpandingArray<2> dilation_ = 1;
  std::int64_t groups_ = 1;
  bool bias_ = true;
  TensorOptions parameters_;
};

/// The options of LazyConv2d.
class LazyConv2dOptions : public Conv2dOptions {
 public:
  /// A layer with a bias, of float32, on the CPU.
  LazyConv2dOptions(std::int64_t out_channels, ExpandingArray<2> kernel_size)
      : Conv2dOptions(0, out_channels, kernel_size) {}
};

/// (N, in_channels, height, width), or without N, → (N, out_channels, rows, columns); see conv2d().
class Conv2dImpl : public Module {
 public:
  ///@{
  /// Draws weight and bias. ValueError unless the groups divide the channels, and for kSame with another stride than
  /// 1; ShapeError for negative sizes.
  Conv2dImpl(std::int64_t in_channels, std::int64_t out_channels, ExpandingArray<2> kernel_size)
      : Conv2dImpl(Conv2dOptions(in_channels, out_channels, kernel_size)) {}
  explicit Conv2dImpl(const Conv2dOptions& options);
  ///@}

  /// Shapes and errors as conv2d().
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;
  /// Draws new weight and bias, uniform within ±1/√(in_channels / groups × window), as PyTorch does.
  void reset_parameters();

  Conv2dOptions options;  ///< as given
  Tensor weight;          ///< (out_channels, in_channels / groups, kernel height, kernel width)
  Tensor bias;            ///< (out_channels); undefined without bias

 protected:
  /// With these two tensors.
  Conv2dImpl(const Conv2dOptions& options, const Tensor& weight, const Tensor& bias);
};
/// Holds a Conv2dImpl: `nn::Conv2d(3, 16, 5)`.
D2L_MODULE(Conv2d);

/// A convolutional layer that takes its in_channels from its first input, and is a Conv2d from then on. Until then its
/// parameters have a device and a dtype only, and reading them is a ValueError.
class LazyConv2dImpl : public Conv2dImpl {
 public:
  ///@{
  /// With parameters that have no shape yet; ValueError as Conv2d.
  LazyConv2dImpl(std::int64_t out_channels, ExpandingArray<2> kernel_size)
      : LazyConv2dImpl(LazyConv2dOptions(out_channels, kernel_size)) {}
  explicit LazyConv2dImpl(const Conv2dOptions& options);
  ///@}

  /// As Conv2d; the channels of the first input give the weight its shape. ShapeError unless it has three or four
  /// dimensions, ValueError unless the groups divide its channels.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

 private:
  void initialize_parameters(const Tensor& input);

  bool initialized_ = false;
};
/// Holds a LazyConv2dImpl: `nn::LazyConv2d(16, 5)`.
D2L_MODULE(LazyConv2d);

namespace functional {

/// The options of conv2d().
class Conv2dFuncOptions {
 public:
  /// Added to each output channel; by default undefined, which adds nothing.
  Conv2dFuncOptions& bias(const Tensor& bias) {
    bias_ = bias;
    return *this;
  }
  /// From one position of the window to the next; by default 1.
  Conv2dFuncOptions& stride(ExpandingArray<2> stride) {
    stride_ = stride;
    return *this;
  }
  ///@{
  /// Zeros that are added on each side, kValid or kSame; by default 0.
  Conv2dFuncOptions& padding(const Conv2dPadding& padding) {
    padding_ = padding;
    return *this;
  }
  Conv2dFuncOptions& padding(std::initializer_list<std::int64_t> padding) {
    padding_ = ExpandingArray<2>(padding);
    return *this;
  }
  ///@}
  /// From one element of the window to the next; by default 1.
  Conv2dFuncOptions& dilation(ExpandingArray<2> dilation) {
    dilation_ = dilation;
    return *this;
  }
  /// The groups of channels; by default 1.
  Conv2dFuncOptions& groups(std::int64_t groups) {
    groups_ = groups;
    return *this;
  }
  /// Added to each output channel.
  [[nodiscard]] const Tensor& bias() const noexcept { return bias_; }
  /// From one position of the window to the next.
  [[nodiscard]] const ExpandingArray<2>& stride() const noexcept { return stride_; }
  /// Zeros that are added on each side, kValid or kSame.
  [[nodiscard]] const Conv2dPadding& padding() const noexcept { return padding_; }
  /// From one element of the window to the next.
  [[nodiscard]] const ExpandingArray<2>& dilation() const noexcept { return dilation_; }
  /// The groups of channels.
  [[nodiscard]] std::int64_t groups() const noexcept { return groups_; }

 private:
  Tensor bias_;
  ExpandingArray<2> stride_ = 1;
  Conv2dPadding padding_ = ExpandingArray<2>(0);
  ExpandingArray<2> dilation_ = 1;
  std::int64_t groups_ = 1;
};

/// The convolution of an input with a weight; shapes and errors as d2l::conv2d().
Tensor conv2d(const Tensor& input, const Tensor& weight, const Conv2dFuncOptions& options = {});

}  // namespace functional
}  // namespace nn
}  // namespace d2l
