// SPDX-License-Identifier: MIT
#include "d2l/nn/conv.h"

#include <fmt/format.h>

#include <cmath>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "d2l/nn/init.h"
#include "d2l/nn/parameter.h"
#include "nn/parameter.h"

namespace d2l {

namespace nn {

namespace {

[[noreturn]] void fail_conv_options(const char* sentence) { detail::fail<ValueError>("Conv2d", sentence); }

void check_conv_channels(std::int64_t in_channels, std::int64_t groups) {
  if (in_channels % groups != 0) fail_conv_options("in_channels must be divisible by groups");
}

const Conv2dOptions& checked_conv_options(const Conv2dOptions& options) {
  if (options.groups() <= 0) fail_conv_options("groups must be a positive integer");
  check_conv_channels(options.in_channels(), options.groups());
  if (options.out_channels() % options.groups() != 0) fail_conv_options("out_channels must be divisible by groups");
  const auto& [first, second] = *options.stride();
  if (std::holds_alternative<enumtype::kSame>(options.padding()) && (first != 1 || second != 1)) {
    fail_conv_options("padding='same' is not supported for strided convolutions");
  }
  return options;
}

std::array<std::int64_t, 4> conv_weight_sizes(const Conv2dOptions& options) {
  const auto& [height, width] = *options.kernel_size();
  return {options.out_channels(), options.in_channels() / options.groups(), height, width};
}

Tensor empty_conv_weight(const Conv2dOptions& options) {
  const auto sizes = conv_weight_sizes(options);
  return empty({sizes.data(), sizes.size()}, options.parameters());
}

/// As in PyTorch: kaiming_uniform_ with a = √5 is uniform within ±1/√fan_in.
double conv_bound(const Conv2dOptions& options) {
  const auto [outputs, channels, height, width] = conv_weight_sizes(options);
  const auto fan_in = channels * height * width;
  return fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0;
}

Tensor uninitialized_conv_parameter(const Conv2dOptions& options) {
  return UninitializedParameter(options.parameters());
}

/// "(3, 3)".
std::string conv_pair_text(const ExpandingArray<2>& pair) { return fmt::format("({}, {})", (*pair)[0], (*pair)[1]); }

bool conv_all_are(const ExpandingArray<2>& pair, std::int64_t number) {
  return (*pair)[0] == number && (*pair)[1] == number;
}

Tensor convolved(const Tensor& input, const Tensor& weight, const Tensor& bias, const auto& options) {
  const auto with = [&](const auto& padding) {
    return d2l::conv2d(input, weight, bias, options.stride(), padding, options.dilation(), options.groups());
  };
  if (const auto* const numbers = std::get_if<ExpandingArray<2>>(&options.padding()))
    return with(IntArrayRef(*numbers));
  return with(std::holds_alternative<enumtype::kSame>(options.padding()) ? "same" : "valid");
}

}  // namespace

// The braces create the weight before the bias.
Conv2dImpl::Conv2dImpl(const Conv2dOptions& chosen)
    : Conv2dImpl{checked_conv_options(chosen), empty_conv_weight(chosen),
                 chosen.bias() ? empty({chosen.out_channels()}, chosen.parameters()) : Tensor()} {
  reset_parameters();
}

Conv2dImpl::Conv2dImpl(const Conv2dOptions& chosen, const Tensor& given_weight, const Tensor& given_bias)
    : options(chosen),
      weight(register_parameter("weight", given_weight)),
      bias(register_parameter("bias", given_bias)) {}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the layer.
void Conv2dImpl::reset_parameters() {
  const double limit = conv_bound(options);
  if (!is_uninitialized(weight)) init::uniform_(weight, -limit, limit);
  if (bias.defined() && !is_uninitialized(bias)) init::uniform_(bias, -limit, limit);
}

Tensor Conv2dImpl::forward(const Tensor& input) { return convolved(input, weight, bias, options); }

std::string Conv2dImpl::extra_repr() const {
  auto text = fmt::format("{}, {}, kernel_size={}, stride={}", options.in_channels(), options.out_channels(),
                          conv_pair_text(options.kernel_size()), conv_pair_text(options.stride()));
  const auto* const numbers = std::get_if<ExpandingArray<2>>(&options.padding());
  if (numbers == nullptr) {
    text += std::holds_alternative<enumtype::kSame>(options.padding()) ? ", padding=same" : ", padding=valid";
  } else if (!conv_all_are(*numbers, 0)) {
    text += ", padding=" + conv_pair_text(*numbers);
  }
  if (!conv_all_are(options.dilation(), 1)) text += ", dilation=" + conv_pair_text(options.dilation());
  if (options.groups() != 1) text += fmt::format(", groups={}", options.groups());
  return bias.defined() ? text : text + ", bias=False";
}

std::shared_ptr<Module> Conv2dImpl::clone() const {
  const std::shared_ptr<Conv2dImpl> copy(
      new Conv2dImpl(options, detail::clone_parameter(weight), detail::clone_parameter(bias)));
  copy->train(is_training());
  return copy;
}

LazyConv2dImpl::LazyConv2dImpl(const Conv2dOptions& chosen)
    : Conv2dImpl(checked_conv_options(chosen), uninitialized_conv_parameter(chosen),
                 chosen.bias() ? uninitialized_conv_parameter(chosen) : Tensor()) {}

Tensor LazyConv2dImpl::forward(const Tensor& input) {
  if (!initialized_) initialize_parameters(input);
  return Conv2dImpl::forward(input);
}

void LazyConv2dImpl::initialize_parameters(const Tensor& input) {
  const NoGradGuard unrecorded;
  const auto& sizes = detail::impl_of(input, "LazyConv2d").sizes;
  if (sizes.count != 3 && sizes.count != 4) {
    detail::fail<ShapeError>(
        "LazyConv2d",
        fmt::format("Expected 3D (unbatched) or 4D (batched) input to LazyConv2d, but got input of "
                    "size: torch.Size({})",
                    detail::text(sizes.ref())),
        detail::operands({{"input", input.impl().get()}}),
        "the input is (images, channels, height, width), or one image");
  }
  const auto channels = is_uninitialized(weight) ? sizes[sizes.count - 3] : weight.size(1) * options.groups();
  check_conv_channels(channels, options.groups());
  options.in_channels(channels);
  const double limit = conv_bound(options);
  if (is_uninitialized(weight)) {
    const auto shape = conv_weight_sizes(options);
    materialize(weight, {shape.data(), shape.size()});
    init::uniform_(weight, -limit, limit);
  }
  if (is_uninitialized(bias)) {
    materialize(bias, {options.out_channels()});
    init::uniform_(bias, -limit, limit);
  }
  rename("Conv2d");
  initialized_ = true;
}

std::shared_ptr<Module> LazyConv2dImpl::clone() const {
  auto copy = std::make_shared<LazyConv2dImpl>(options);
  const auto& impl = *weight.impl();
  copy->to(impl.device(), impl.dtype);
  copy->load_state_dict(state_dict());
  copy->initialized_ = initialized_;
  if (initialized_) copy->rename("Conv2d");
  copy->train(is_training());
  return copy;
}

Tensor functional::conv2d(const Tensor& input, const Tensor& weight, const Conv2dFuncOptions& options) {
  return convolved(input, weight, options.bias(), options);
}

}  // namespace nn
}  // namespace d2l
