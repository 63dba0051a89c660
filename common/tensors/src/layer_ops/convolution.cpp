// SPDX-License-Identifier: MIT
// conv2d: checks, launches, records and derivatives.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "base/saturated.h"
#include "core/messages.h"
#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/elementwise_launch.h"

namespace d2l {

using detail::Dimensions;
using detail::fail;
using detail::impl_of;
using detail::KernelArguments;
using detail::largest_size;
using detail::Operation;
using detail::saturated_product;
using detail::saturated_sum;
using detail::TensorImpl;

namespace {

constexpr const char* conv2d_name = "conv2d";

/// The operands of a convolution: the sizes of a batch, also where the input is one image.
struct Convolved {
  const TensorImpl& input;
  const TensorImpl& weight;
  const TensorImpl* bias;
  Dimensions sizes;
  std::int64_t groups;

  [[nodiscard]] std::string text() const {
    return detail::operands({{"input", &input}, {"weight", &weight}, {"bias", bias}});
  }
};

/// One number for each dimension of the window; `size` is how many the weight has.
std::array<std::int64_t, 2> expanded_pair(IntArrayRef given, const char* parameter, int size, const Convolved& all) {
  if (given.size() == 1) return {given[0], given[0]};
  if (given.size() != static_cast<std::size_t>(size)) {
    fail<ValueError>(conv2d_name,
                     fmt::format("expected {} to be a single integer value or a list of {} values to match the "
                                 "convolution dimensions, but got {}={}",
                                 parameter, size, parameter, detail::text(given)),
                     all.text(), "give one number, or one for the height and one for the width");
  }
  return size == 2 ? std::array{given[0], given[1]} : std::array{std::int64_t{1}, std::int64_t{1}};
}

void check_convolution_numbers(const backend::Window& window, const Convolved& all) {
  const auto below = [](const std::array<std::int64_t, 2>& numbers, std::int64_t least) {
    return numbers[0] < least || numbers[1] < least;
  };
  if (below(window.padding, 0)) fail<ValueError>(conv2d_name, "negative padding is not supported", all.text());
  if (below(window.stride, 1)) fail<ValueError>(conv2d_name, "non-positive stride is not supported", all.text());
  if (below(window.dilation, 1)) fail<ValueError>(conv2d_name, "dilation should be greater than zero", all.text());
  constexpr std::int64_t most = largest_size / 2;
  for (std::size_t i = 0; i < 2; ++i) {
    if (window.padding[i] <= most) continue;
    fail<ValueError>(
        conv2d_name,
        fmt::format("Given padding={} at dimension {} , expected padding to be at most {}", window.padding[i], i, most),
        all.text());
  }
}

/// ShapeError unless weight and bias fit the input.
void check_convolution_shapes(const Convolved& all) {
  const auto& weight = all.weight.sizes;
  const auto shape = detail::text(weight.ref());
  if (weight.count != 4) {
    fail<ShapeError>(conv2d_name,
                     fmt::format("Expected {}-dimensional input for {}-dimensional weight {}, but got 4-dimensional "
                                 "input of size {} instead",
                                 weight.count, weight.count, shape, detail::text(all.sizes.ref())),
                     all.text(), "the weight is (outputs, channels / groups, kernel height, kernel width)");
  }
  if (weight[0] < all.groups) {
    fail<ShapeError>(conv2d_name,
                     fmt::format("Given groups={}, expected weight to be at least {} at dimension 0, but got weight of "
                                 "size {} instead",
                                 all.groups, all.groups, shape),
                     all.text());
  }
  if (weight[0] % all.groups != 0) {
    fail<ShapeError>(conv2d_name,
                     fmt::format("Given groups={}, expected weight to be divisible by {} at dimension 0, but got "
                                 "weight of size [{}] instead",
                                 all.groups, all.groups, shape),
                     all.text());
  }
  if (all.sizes[1] != saturated_product(weight[1], all.groups)) {
    fail<ShapeError>(
        conv2d_name,
        fmt::format("Given groups={}, weight of size {}, expected input{} to have {} channels, but got {} channels "
                    "instead",
                    all.groups, shape, detail::text(all.sizes.ref()), saturated_product(weight[1], all.groups),
                    all.sizes[1]),
        all.text(), "the channels of the input are those of the weight × groups");
  }
  if (all.bias != nullptr && (all.bias->sizes.count != 1 || all.bias->sizes[0] != weight[0])) {
    fail<ShapeError>(conv2d_name,
                     fmt::format("Given weight of size {}, expected bias to be 1-dimensional with {} elements, but got "
                                 "bias of size {} instead",
                                 shape, weight[0], detail::text(all.bias->sizes.ref())),
                     all.text());
  }
}

/// "torch.cuda.FloatTensor".
std::string tensor_type_name(const TensorImpl& tensor) {
  return fmt::format("torch.{}{}Tensor", tensor.device().is_cpu() ? "" : "cuda.", toString(tensor.dtype));
}

/// Whether PyTorch computes a float32 convolution on the CPU by oneDNN, whose messages are others.
bool is_for_onednn(const Convolved& all, const backend::Window& window) {
  if (!all.input.device().is_cpu() || all.input.dtype != kFloat) return false;
  const auto large = [](const std::array<std::int64_t, 2>& numbers) { return numbers[0] > 1 || numbers[1] > 1; };
  const bool moves = large(window.stride) || large(window.dilation) || all.sizes[0] >= 16 || large(window.size) ||
                     get_num_threads() > 1;
  const bool heavy = all.groups > 1 || (window.size[0] > 3 && window.size[1] > 3) || all.sizes[0] > 1 ||
                     all.sizes[0] * all.sizes[1] * all.sizes[2] * all.sizes[3] > 20480;
  return moves && heavy;
}

/// TypeError or DeviceError unless all are of one dtype and on one device.
void check_convolution_types(const Convolved& all, const backend::Window& window) {
  const auto differs = [&](const TensorImpl& other) {
    return other.dtype != all.input.dtype || other.device() != all.input.device();
  };
  const bool weight = differs(all.weight);
  if (!weight && (all.bias == nullptr || !differs(*all.bias))) {
    return detail::check_floating(all.input, conv2d_name, "slow_conv2d_cpu");
  }
  const TensorImpl& other = weight ? all.weight : *all.bias;
  const char* const role = weight ? "weight" : "bias";
  const auto sentence = fmt::format("Input type ({}) and {} type ({}) should be the same", tensor_type_name(all.input),
                                    role, tensor_type_name(other));
  if (other.device() != all.input.device()) {
    fail<DeviceError>(conv2d_name, sentence, all.text(), "move the layer or the input with to(device)");
  }
  constexpr const char* fix = "convert the input or the layer with to(dtype)";
  if (is_for_onednn(all, window)) {
    fail<TypeError>(conv2d_name,
                    fmt::format("{} or input should be a MKLDNN tensor and {} is a dense tensor", sentence, role),
                    all.text(), fix);
  }
  if (all.input.device().is_cpu()) {
    fail<TypeError>(
        conv2d_name,
        fmt::format("expected scalar type {} but found {}", toString(all.input.dtype), toString(other.dtype)),
        all.text(), fix);
  }
  fail<TypeError>(conv2d_name, sentence, all.text(), fix);
}

/// The sizes of the result; `added` is what is padded in addition on the right and below.
Dimensions result_sizes(const Convolved& all, const backend::Window& window, const std::array<std::int64_t, 2>& added) {
  std::array<std::int64_t, 2> padded{};
  std::array<std::int64_t, 2> kernel{};
  Dimensions result{{all.sizes[0], all.weight.sizes[0]}, 4};
  for (std::size_t i = 0; i < 2; ++i) {
    padded[i] = saturated_sum(all.sizes[static_cast<int>(i) + 2], saturated_sum(2 * window.padding[i], added[i]));
    kernel[i] = saturated_sum(saturated_product(window.dilation[i], std::max<std::int64_t>(window.size[i] - 1, 0)), 1);
    result[static_cast<int>(i) + 2] = (padded[i] - kernel[i]) / window.stride[i] + 1;
  }
  if (window.size[0] < 1 || window.size[1] < 1) {
    fail<ShapeError>(conv2d_name,
                     fmt::format("kernel size should be greater than zero, but got kernel_height: {} kernel_width: {}",
                                 window.size[0], window.size[1]),
                     all.text());
  }
  if (padded[0] < kernel[0] || padded[1] < kernel[1]) {
    fail<ShapeError>(conv2d_name,
                     fmt::format("Calculated padded input size per channel: ({} x {}). Kernel size: ({} x {}). Kernel "
                                 "size can't be greater than actual input size",
                                 padded[0], padded[1], kernel[0], kernel[1]),
                     all.text(), "give a larger image, more padding or a smaller kernel");
  }
  constexpr std::int64_t most = largest_size / 4;  // the kernels add such numbers
  if (padded[0] > most || padded[1] > most) {
    fail<ShapeError>(conv2d_name, fmt::format("a padded image has a height and a width of at most {}", most),
                     all.text(), "give less padding");
  }
  constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();  // BLAS counts with 32-bit integers
  const auto terms = saturated_product(all.weight.sizes[1], saturated_product(window.size[0], window.size[1]));
  if (terms > largest || saturated_product(all.sizes[2], all.sizes[3]) > largest ||
      saturated_product(result[2], result[3]) > largest) {
    fail<ShapeError>(conv2d_name, fmt::format("an image and a kernel have at most {} elements", largest), all.text(),
                     "convolve parts of the image");
  }
  const bool no_pixels = all.sizes[2] == 0 || all.sizes[3] == 0;
  if (no_pixels && all.sizes[0] != 0 && all.sizes[1] != 0) {
    fail<ShapeError>(
        conv2d_name,
        "Only zero batch or zero channel inputs are supported, but got input shape: " + detail::text(all.sizes.ref()),
        all.text());
  }
  return result;
}

/// How a window moves, and the groups of channels. It is the state of the record.
struct ConvolutionState {
  backend::Window window;
  std::int64_t groups;
};

KernelArguments convolution_arguments(const Dimensions& input, const Dimensions& weight, const Dimensions& result,
                                      const ConvolutionState& how) {
  KernelArguments arguments;
  arguments.rank = 7;
  arguments.sizes = {input[0], input[1], input[2], input[3], weight[0], result[2], result[3]};
  arguments.window = how.window;
  arguments.parameters[0] = {0, how.groups};
  return arguments;
}

/// The products that all elements of the result are sums of.
std::int64_t convolution_products(const Dimensions& weight, const Dimensions& result) {
  return result[0] * result[1] * result[2] * result[3] * weight[1] * weight[2] * weight[3];
}

/// The result without a record, of sizes `sizes`.
Tensor convolution_value(const Convolved& all, const Tensor& input, const Tensor& weight, const Tensor& bias,
                         const Dimensions& sizes, const ConvolutionState& how) {
  if (all.weight.sizes[1] == 0) {
    const Tensor sums = zeros(sizes.ref(), input.options());
    return bias.defined() ? sums + bias.reshape({all.weight.sizes[0], 1, 1}) : sums;
  }
  const Tensor a = detail::row_major(input);
  const Tensor b = detail::row_major(weight);
  const Tensor c = bias.defined() ? detail::row_major(bias) : bias;
  auto out = detail::make_tensor(sizes, all.input.dtype, all.input.device(), false, conv2d_name);
  if (out.impl()->numel == 0) return out;
  auto arguments = convolution_arguments(all.sizes, all.weight.sizes, sizes, how);
  detail::launch_whole(Operation::conv2d, arguments, {out.impl().get(), a.impl().get(), b.impl().get(), c.impl().get()},
                       convolution_products(all.weight.sizes, sizes));
  return out;
}

/// A batch, by a window whose size is not known yet.
Tensor convolution(const Tensor& input, const Tensor& weight, const Tensor& bias, backend::Window window,
                   std::int64_t groups, const std::array<std::int64_t, 2>& added) {
  const TensorImpl& x = *input.impl();
  const Convolved all{x, *weight.impl(), bias.impl().get(), x.sizes, groups};
  check_convolution_numbers(window, all);
  check_convolution_shapes(all);
  window.size = {all.weight.sizes[2], all.weight.sizes[3]};
  const auto sizes = result_sizes(all, window, added);
  check_convolution_types(all, window);
  const ConvolutionState how{window, groups};
  auto result = detail::unrecorded([&] { return convolution_value(all, input, weight, bias, sizes, how); });
  const bool recorded = bias.defined() ? detail::is_recorded(input, weight, bias) : detail::is_recorded(input, weight);
  if (!recorded) return result;
  auto record =
      detail::record(detail::Recorded::ConvolutionBackward0, {&input, &weight, bias.defined() ? &bias : nullptr});
  if (record->wants(1)) detail::save(*record, 0, input);
  if (record->wants(0)) detail::save(*record, 1, weight);
  record->state = how;
  detail::attach(result, std::move(record));
  return result;
}

/// What both forms of conv2d check first. The batch of `input`.
Tensor convolved_batch(const Tensor& input, const Tensor& weight, const Tensor& bias, std::int64_t groups) {
  const TensorImpl& x = impl_of(input, conv2d_name);
  const TensorImpl& w = impl_of(weight, conv2d_name);
  const TensorImpl* const b = bias.defined() ? &impl_of(bias, conv2d_name) : nullptr;
  const auto text = detail::operands({{"input", &x}, {"weight", &w}, {"bias", b}});
  if (b != nullptr && b->dtype != x.dtype) {
    fail<TypeError>(conv2d_name,
                    fmt::format("Input type ({}) and bias type ({}) should be the same", detail::cpp_name(x.dtype),
                                detail::cpp_name(b->dtype)),
                    text, "convert the input or the layer with to(dtype)");
  }
  if (x.sizes.count != 3 && x.sizes.count != 4) {
    fail<ShapeError>(conv2d_name,
                     "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: " +
                         detail::text(x.sizes.ref()),
                     text, "the input is (images, channels, height, width), or one image");
  }
  if (w.sizes.count < 3) fail<ShapeError>(conv2d_name, "weight should have at least three dimensions", text);
  if (groups < 1) fail<ValueError>(conv2d_name, "non-positive groups is not supported", text);
  return x.sizes.count == 3 ? input.unsqueeze(0) : input;
}

/// `result` of a batch, without the images if the input was one.
Tensor unbatched(const Tensor& result, const Tensor& input) { return input.dim() == 3 ? result.squeeze(0) : result; }

/// Padding by which the result has the sizes of the input: half of it before the image, and the rest behind.
Tensor convolution_same(const Tensor& batch, const Tensor& weight, const Tensor& bias, IntArrayRef stride,
                        IntArrayRef dilation, std::int64_t groups) {
  const auto& w = weight.impl()->sizes;
  const Convolved all{*batch.impl(), *weight.impl(), bias.impl().get(), batch.impl()->sizes, groups};
  if (w.count != 4) {
    fail<ShapeError>(conv2d_name,
                     fmt::format("Expected {}-dimensional input for {}-dimensional weight{}, but got 4-dimensional "
                                 "input of size {} instead",
                                 w.count, w.count, detail::text(w.ref()), detail::text(all.sizes.ref())),
                     all.text());
  }
  const auto two = [&](IntArrayRef given, const char* parameter) {
    if (given.size() == 1 || given.size() == 2) return std::array{given[0], given[given.size() - 1]};
    fail<ValueError>(conv2d_name, fmt::format("{} cannot broadcast to 2 dimensions", parameter), all.text());
  };
  backend::Window window{};
  window.stride = two(stride, "stride");
  window.dilation = two(dilation, "dilation");
  if (window.stride[0] != 1 || window.stride[1] != 1) {
    fail<ValueError>(conv2d_name, "padding='same' is not supported for strided convolutions", all.text());
  }
  std::array<std::int64_t, 2> added{};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t total =
        saturated_product(window.dilation[i], std::max<std::int64_t>(w[static_cast<int>(i) + 2] - 1, 0));
    window.padding[i] = total / 2;
    added[i] = total % 2;
  }
  return convolution(batch, weight, bias, window, groups, added);
}

}  // namespace

Tensor conv2d(const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride, IntArrayRef padding,
              IntArrayRef dilation, std::int64_t groups) {
  if (detail::autocasts(detail::CastRule::low, input)) {
    const auto converted = [&](const auto&... x) { return conv2d(x..., stride, padding, dilation, groups); };
    return detail::with_casts(detail::CastRule::low, converted, input, weight, bias);
  }
  const Tensor batch = convolved_batch(input, weight, bias, groups);
  const Convolved all{*batch.impl(), *weight.impl(), bias.impl().get(), batch.impl()->sizes, groups};
  const int dims = all.weight.sizes.count - 2;
  backend::Window window{};
  window.stride = expanded_pair(stride, "stride", dims, all);
  window.padding = expanded_pair(padding, "padding", dims, all);
  window.dilation = expanded_pair(dilation, "dilation", dims, all);
  return unbatched(convolution(batch, weight, bias, window, groups, {}), input);
}

Tensor detail::conv2d_padded(const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride,
                             std::string_view padding, IntArrayRef dilation, std::int64_t groups) {
  if (detail::autocasts(detail::CastRule::low, input)) {
    const auto converted = [&](const auto&... x) { return conv2d_padded(x..., stride, padding, dilation, groups); };
    return detail::with_casts(detail::CastRule::low, converted, input, weight, bias);
  }
  if (padding == "valid") return conv2d(input, weight, bias, stride, 0, dilation, groups);
  const Tensor batch = convolved_batch(input, weight, bias, groups);
  if (padding != "same") {
    fail<ValueError>(conv2d_name, fmt::format("Invalid padding string: '{}'", padding), {},
                     "it is \"valid\" or \"same\", or numbers");
  }
  return unbatched(convolution_same(batch, weight, bias, stride, dilation, groups), input);
}

namespace detail::derivatives {

namespace {

/// The gradient of the input or of the weight, whose sizes these are, from that of the result and from the other one.
Tensor convolution_gradient(Operation backward, const Tensor& grad, const Tensor& other, const Dimensions& input,
                            const Dimensions& weight, const ConvolutionState& how) {
  const Dimensions& sizes = backward == Operation::conv2d_backward_input ? input : weight;
  if (grad.impl()->numel == 0 || other.impl()->numel == 0) return zeros(sizes.ref(), grad.options());
  const Tensor a = row_major(grad);
  const Tensor b = row_major(other);
  const TensorImpl& g = *a.impl();
  auto out = make_tensor(sizes, g.dtype, g.device(), false, info(backward).name);
  auto arguments = convolution_arguments(input, weight, g.sizes, how);
  launch_whole(backward, arguments, {out.impl().get(), &g, b.impl().get()}, convolution_products(weight, g.sizes));
  return out;
}

}  // namespace

void ConvolutionBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto& how = state_of<ConvolutionState>(operation);
  if (operation.wants(0)) {
    const Tensor& weight = operation.saved(1);
    results[0] = convolution_gradient(Operation::conv2d_backward_input, g, weight, operation.inputs[0].sizes,
                                      weight.impl()->sizes, how);
  }
  if (operation.wants(1)) {
    const Tensor& input = operation.saved(0);
    results[1] = convolution_gradient(Operation::conv2d_backward_weight, g, input, input.impl()->sizes,
                                      operation.inputs[1].sizes, how);
  }
  if (operation.wants(2)) results[2] = g.sum({2, 3}).sum(0);
}

}  // namespace detail::derivatives
}  // namespace d2l
