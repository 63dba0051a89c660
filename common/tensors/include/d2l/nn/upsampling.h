// SPDX-License-Identifier: MIT
/// @file
/// Upsample and Unfold: other sizes of images, and their windows as columns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "d2l/nn/expanding_array.h"
#include "d2l/nn/init.h"
#include "d2l/nn/module_holder.h"

namespace d2l {

namespace detail {
/// The types of kNearest and kBilinear.
enum class ImageMode : std::int8_t { nearest, bilinear };
}  // namespace detail

inline constexpr auto kNearest = detail::ImageMode::nearest;    ///< the nearest element
inline constexpr auto kBilinear = detail::ImageMode::bilinear;  ///< linear interpolation in two dimensions

}  // namespace d2l

namespace d2l::nn {

/// How Upsample finds elements: kNearest, kLinear or kBilinear, or their Python names.
class InterpolationMode {
 public:
  ///@{
  /// The nearest element, or interpolation in one or two dimensions; ValueError for anything else.
  InterpolationMode(d2l::detail::ImageMode mode)  // NOLINT(google-explicit-constructor)
      : name_(mode == kNearest ? "nearest" : "bilinear") {}
  InterpolationMode(init::Nonlinearity linear);                                  // NOLINT(google-explicit-constructor)
  InterpolationMode(std::string name);                                           // NOLINT(google-explicit-constructor)
  InterpolationMode(const char* name) : InterpolationMode(std::string(name)) {}  // NOLINT(google-explicit-constructor)
  ///@}
  /// "nearest", "linear" or "bilinear".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  std::string name_;
};

}  // namespace d2l::nn

namespace d2l::detail {

/// The options that Upsample and interpolate() have. Derived is the class of the options.
template <class Derived>
class UpsampleOf {
 public:
  /// The new sizes of the image: one for each dimension, or one for all.
  Derived& size(std::optional<std::vector<std::int64_t>> size) {
    size_ = std::move(size);
    return self();
  }
  /// The factors of the sizes: one for each dimension, or one for all.
  Derived& scale_factor(std::optional<std::vector<double>> factor) {
    scale_factor_ = std::move(factor);
    return self();
  }
  /// How elements are found; ValueError for an unknown name.
  Derived& mode(nn::InterpolationMode mode) {
    mode_ = std::move(mode);
    return self();
  }
  /// Whether the first and the last elements stay where they are.
  Derived& align_corners(std::optional<bool> align) {
    align_corners_ = align;
    return self();
  }
  /// Whether coordinates use the quotient of the sizes in place of scale_factor.
  Derived& recompute_scale_factor(std::optional<bool> recompute) {
    recompute_scale_factor_ = recompute;
    return self();
  }
  /// The new sizes of the image; by default none.
  [[nodiscard]] const std::optional<std::vector<std::int64_t>>& size() const noexcept { return size_; }
  /// The factors of the sizes; by default none.
  [[nodiscard]] const std::optional<std::vector<double>>& scale_factor() const noexcept { return scale_factor_; }
  /// How elements are found; by default the nearest ones.
  [[nodiscard]] const nn::InterpolationMode& mode() const noexcept { return mode_; }
  /// Whether the first and the last elements stay where they are; by default false.
  [[nodiscard]] std::optional<bool> align_corners() const noexcept { return align_corners_; }
  /// Whether coordinates use the quotient of the sizes; by default false.
  [[nodiscard]] std::optional<bool> recompute_scale_factor() const noexcept { return recompute_scale_factor_; }

 private:
  [[nodiscard]] Derived& self() noexcept { return static_cast<Derived&>(*this); }

  std::optional<std::vector<std::int64_t>> size_;
  std::optional<std::vector<double>> scale_factor_;
  nn::InterpolationMode mode_ = kNearest;
  std::optional<bool> align_corners_;
  std::optional<bool> recompute_scale_factor_;
};

/// The options that Unfold and unfold() have.
template <class Derived>
class UnfoldOf {
 public:
  /// `kernel_size`: the height and the width of a window.
  UnfoldOf(ExpandingArray<2> kernel_size) : kernel_size_(kernel_size) {}  // NOLINT(google-explicit-constructor)
  /// The height and the width of a window.
  Derived& kernel_size(ExpandingArray<2> size) {
    kernel_size_ = size;
    return self();
  }
  /// The distance of the elements of a window.
  Derived& dilation(ExpandingArray<2> dilation) {
    dilation_ = dilation;
    return self();
  }
  /// The zeros around the image.
  Derived& padding(ExpandingArray<2> padding) {
    padding_ = padding;
    return self();
  }
  /// The distance of two windows.
  Derived& stride(ExpandingArray<2> stride) {
    stride_ = stride;
    return self();
  }
  /// The height and the width of a window.
  [[nodiscard]] const ExpandingArray<2>& kernel_size() const noexcept { return kernel_size_; }
  /// The distance of the elements of a window; by default 1.
  [[nodiscard]] const ExpandingArray<2>& dilation() const noexcept { return dilation_; }
  /// The zeros around the image; by default 0.
  [[nodiscard]] const ExpandingArray<2>& padding() const noexcept { return padding_; }
  /// The distance of two windows; by default 1.
  [[nodiscard]] const ExpandingArray<2>& stride() const noexcept { return stride_; }

 private:
  [[nodiscard]] Derived& self() noexcept { return static_cast<Derived&>(*this); }

  ExpandingArray<2> kernel_size_;
  ExpandingArray<2> dilation_ = 1;
  ExpandingArray<2> padding_ = 0;
  ExpandingArray<2> stride_ = 1;
};

}  // namespace d2l::detail

namespace d2l::nn {

/// The options of Upsample.
class UpsampleOptions : public d2l::detail::UpsampleOf<UpsampleOptions> {};

/// Images with other sizes; see functional::interpolate().
class UpsampleImpl : public Module {
 public:
  /// A layer with these options.
  explicit UpsampleImpl(UpsampleOptions chosen = {}) : options(std::move(chosen)) {}
  /// As functional::interpolate().
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  UpsampleOptions options;  ///< as given
};
/// Holds an UpsampleImpl: `nn::Upsample(nn::UpsampleOptions().scale_factor(std::vector<double>{2}))`.
D2L_MODULE(Upsample);

/// The options of Unfold.
class UnfoldOptions : public d2l::detail::UnfoldOf<UnfoldOptions> {
 public:
  using UnfoldOf::UnfoldOf;
};

/// The windows of images as columns; see d2l::im2col().
class UnfoldImpl : public Module {
 public:
  /// A layer with these options.
  explicit UnfoldImpl(const UnfoldOptions& chosen) : options(chosen) {}
  /// (N, C, H, W) → (N, C × kernel height × kernel width, windows); errors as im2col().
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  UnfoldOptions options;  ///< as given
};
/// Holds an UnfoldImpl: `nn::Unfold(nn::UnfoldOptions({2, 2}))`.
D2L_MODULE(Unfold);

namespace functional {

/// The options of interpolate().
class InterpolateFuncOptions : public d2l::detail::UpsampleOf<InterpolateFuncOptions> {};
/// The options of unfold().
class UnfoldFuncOptions : public d2l::detail::UnfoldOf<UnfoldFuncOptions> {
 public:
  using UnfoldOf::UnfoldOf;
};

/// Images (N, C, width) or (N, C, height, width) with a size, or with sizes times a factor, rounded down. ValueError
/// unless exactly one of the two is given, for align_corners with the nearest elements, and for a mode that does not
/// fit the input; errors as upsample_nearest2d().
Tensor interpolate(const Tensor& input, const InterpolateFuncOptions& options = {});
/// The windows of images as columns; errors as d2l::im2col().
Tensor unfold(const Tensor& input, const UnfoldFuncOptions& options);

}  // namespace functional
}  // namespace d2l::nn
