// SPDX-License-Identifier: MIT
// max_pool2d, avg_pool2d and adaptive_avg_pool2d: checks, launches, records and derivatives.
#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include "autograd/recording.h"
#include "backend/kernel.h"
#include "base/saturated.h"
#include "d2l/layer_ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/elementwise_launch.h"

namespace d2l {

using detail::Dimensions;
using detail::fail;
using detail::impl_of;
using detail::Operation;
using detail::TensorImpl;

namespace {

/// The windows of a pooling, and what an average is divided by; see KernelArguments. It is the state of the record.
struct PoolingOptions {
  backend::Window window{};
  bool counts_padding = false;
  std::int64_t divisor = 0;
};

/// Launches a kernel on contiguous tensors; `image` and `windows` are the shapes of the two sides.
void launch_pooling(Operation operation, const Dimensions& image, const Dimensions& windows,
                    const PoolingOptions& options, std::initializer_list<const TensorImpl*> tensors) {
  detail::KernelArguments arguments;
  arguments.rank = 5;
  arguments.sizes[0] = 1;
  for (int i = 0; i < image.count - 2; ++i) arguments.sizes[0] *= image[i];
  std::int64_t pooled = arguments.sizes[0];
  for (int i = 0; i < 2; ++i) {
    arguments.sizes[std::size_t{1} + static_cast<std::size_t>(i)] = image[image.count - 2 + i];
    arguments.sizes[std::size_t{3} + static_cast<std::size_t>(i)] = windows[windows.count - 2 + i];
    const auto size = options.window.size[static_cast<std::size_t>(i)];
    // A window of an adaptive pooling has that many elements on average.
    pooled =
        detail::saturated_product(pooled, size == 0 ? image[image.count - 2 + i]
                                                    : detail::saturated_product(size, windows[windows.count - 2 + i]));
  }
  arguments.window = options.window;
  arguments.parameters[0].integer = options.counts_padding ? 1 : 0;
  arguments.parameters[1].integer = options.divisor;
  detail::launch_whole(operation, arguments, tensors, pooled);
}

/// The gradient of an image; `indices` is undefined for an average.
Tensor pooling_gradient(Operation operation, const Tensor& grad, const Tensor& indices, const Dimensions& sizes,
                        const PoolingOptions& options) {
  const Tensor from = detail::row_major(grad);
  const TensorImpl& impl = *from.impl();
  auto out = detail::make_tensor(sizes, impl.dtype, impl.device(), false, info(operation).name);
  if (out.impl()->numel == 0) return out;
  const Tensor places = indices.defined() ? detail::row_major(indices) : indices;
  launch_pooling(operation, sizes, impl.sizes, options, {out.impl().get(), &impl, places.impl().get()});
  return out;
}

/// ShapeError for a gradient without elements.
Tensor adaptive_avg_pool2d_gradient(const Tensor& grad, const Dimensions& sizes) {
  const auto& given = grad.impl()->sizes;
  for (int i = 1; i < given.count; ++i) {
    if (given[i] > 0) continue;
    fail<ShapeError>("adaptive_avg_pool2d_backward",
                     fmt::format("adaptive_avg_pool2d_backward(): Expected grad_output to have non-zero size for "
                                 "non-batch dimensions, but grad_output has sizes {} with dimension {} being empty",
                                 detail::text(given.ref()), i));
  }
  return pooling_gradient(Operation::adaptive_avg_pool2d_backward, grad, {}, sizes, {});
}

using Pair = std::array<std::int64_t, 2>;

/// One or two integers as {height, width}; ValueError with `sentence` for another count.
Pair pair_of(IntArrayRef list, const char* operation, const char* sentence) {
  if (list.size() != 1 && list.size() != 2) fail<ValueError>(operation, fmt::format("{}: {}", operation, sentence));
  for (const auto number : list) {
    if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max()) {
      fail<ValueError>(operation, "integer out of range", fmt::format("({})", number));
    }
  }
  return {list.front(), list.back()};
}

/// Windows without dilation.
backend::Window windows_of(IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, const char* operation) {
  backend::Window window{};
  window.size = pair_of(kernel_size, operation, "kernel_size must either be a single int, or a tuple of two ints");
  window.stride = stride.empty() ? window.size
                                 : pair_of(stride, operation,
                                           "stride must either be omitted, a single int, or a tuple of two ints");
  window.padding = pair_of(padding, operation, "padding must either be a single int, or a tuple of two ints");
  window.dilation = {1, 1};
  return window;
}

/// a / b, rounded down.
std::int64_t quotient(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

/// The number of windows along a dimension; ValueError for a window that PyTorch refuses before it looks at the image.
std::int64_t count_windows(const char* operation, std::int64_t size, const backend::Window& window, std::size_t d,
                           bool ceil_mode) {
  const std::int64_t stride = window.stride[d];
  const std::int64_t padding = window.padding[d];
  const std::int64_t reach = (window.size[d] - 1) * window.dilation[d];
  if (stride == 0) fail<ValueError>(operation, "stride should not be zero");
  if (padding < 0) fail<ValueError>(operation, fmt::format("pad must be non-negative, but got pad: {}", padding));
  if (padding > (reach + 1) / 2) {
    fail<ValueError>(operation, fmt::format("pad should be at most half of effective kernel size, but got pad={}, "
                                            "kernel_size={} and dilation={}",
                                            padding, window.size[d], window.dilation[d]));
  }
  const std::int64_t windows = quotient(size + 2 * padding - reach - 1 + (ceil_mode ? stride - 1 : 0), stride) + 1;
  // The last window must begin in the image or before it.
  return ceil_mode && (windows - 1) * stride >= size + padding ? windows - 1 : windows;
}

void check_positive(const char* operation, const char* what, const char* letters, const Pair& pair) {
  if (pair[0] > 0 && pair[1] > 0) return;
  fail<ValueError>(operation, fmt::format("{} should be greater than zero, but got {}H: {} {}W: {}", what, letters,
                                          pair[0], letters, pair[1]));
}

/// The shape of the result; ShapeError or ValueError for what PyTorch refuses.
Dimensions pooled_sizes(const char* operation, const TensorImpl& input, const backend::Window& window, bool ceil_mode) {
  const auto& sizes = input.sizes;
  const int count = sizes.count;
  const auto from_end = [&](int i) { return sizes[detail::wrap_dimension(-i, count, operation)]; };
  const std::int64_t channels = from_end(3);
  const std::int64_t height = from_end(2);
  const std::int64_t width = from_end(1);
  const std::int64_t rows = count_windows(operation, height, window, 0, ceil_mode);
  const std::int64_t columns = count_windows(operation, width, window, 1, ceil_mode);
  check_positive(operation, "kernel size", "k", window.size);
  check_positive(operation, "stride", "d", window.stride);
  check_positive(operation, "dilation", "dilation", window.dilation);
  if (count > 4 || channels == 0 || height == 0 || width == 0) {
    fail<ShapeError>(operation,
                     fmt::format("Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but "
                                 "got:{}",
                                 detail::text(sizes.ref())));
  }
  if (rows < 1 || columns < 1) {
    fail<ShapeError>(operation, fmt::format("Given input size: ({}x{}x{}). Calculated output size: ({}x{}x{}). Output "
                                            "size is too small",
                                            channels, height, width, channels, rows, columns));
  }
  Dimensions result = sizes;
  result[count - 2] = rows;
  result[count - 1] = columns;
  return result;
}

/// `result`, with a record of its pooling.
Tensor recorded(const Tensor& result, detail::Recorded kind, const Tensor& input, const PoolingOptions& options,
                const Tensor& indices = {}) {
  if (!detail::is_recorded(input)) return result;
  auto record = detail::record(kind, {&input});
  detail::save(*record, 0, input);
  if (indices.defined()) detail::save(*record, 1, indices);
  record->state = options;
  detail::attach(result, std::move(record));
  return result;
}

/// A new tensor of shape `sizes` with the average of each window.
Tensor averages(Operation operation, const Tensor& input, const Dimensions& sizes, const PoolingOptions& options) {
  const Tensor from = detail::row_major(input);
  const TensorImpl& impl = *from.impl();
  auto out = detail::make_tensor(sizes, impl.dtype, impl.device(), false, info(operation).name);
  if (out.impl()->numel > 0) launch_pooling(operation, impl.sizes, sizes, options, {out.impl().get(), &impl});
  return out;
}

}  // namespace

std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                                                   IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  constexpr const char* name = "max_pool2d";
  const TensorImpl& x = impl_of(input, name);
  PoolingOptions options;
  options.window = windows_of(kernel_size, stride, padding, name);
  options.window.dilation = pair_of(dilation, name, "dilation must be either a single int, or a tuple of two ints");
  if (x.sizes.count != 3 && x.sizes.count != 4) {
    fail<ShapeError>(name, "non-empty 3D or 4D (batch mode) tensor expected for input",
                     detail::operands({{"input", &x}}), "the input is (N, C, H, W) or (C, H, W)");
  }
  const auto sizes = pooled_sizes(name, x, options.window, ceil_mode);
  if (x.dtype == kBool) {
    fail<TypeError>(name, "\"max_pool2d\" not implemented for 'Bool'", detail::operands({{"input", &x}}),
                    "convert it first, for example x.to(kFloat)");
  }
  const Tensor from = detail::row_major(input);
  const auto out = detail::make_tensor(sizes, x.dtype, x.device(), false, name);
  const auto indices = detail::make_tensor(sizes, kLong, x.device(), false, name);
  if (out.impl()->numel > 0) {
    launch_pooling(Operation::max_pool2d, x.sizes, sizes, options,
                   {out.impl().get(), from.impl().get(), indices.impl().get()});
  }
  return {recorded(out, detail::Recorded::MaxPool2DWithIndicesBackward0, input, options, indices), indices};
}

Tensor max_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  return std::get<0>(max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode));
}

Tensor avg_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad, std::optional<std::int64_t> divisor_override) {
  constexpr const char* name = "avg_pool2d";
  const TensorImpl& x = impl_of(input, name);
  PoolingOptions options;
  options.window = windows_of(kernel_size, stride, padding, name);
  options.counts_padding = count_include_pad;
  options.divisor = divisor_override.value_or(0);
  if (divisor_override == 0) fail<ValueError>(name, "divisor must be not zero");
  const auto sizes = pooled_sizes(name, x, options.window, ceil_mode);
  if (x.dtype != kLong) detail::check_floating(x, name, name);  // PyTorch averages integers of this dtype alone
  return recorded(averages(Operation::avg_pool2d, input, sizes, options), detail::Recorded::AvgPool2DBackward0, input,
                  options);
}

Tensor adaptive_avg_pool2d(const Tensor& input, IntArrayRef output_size) {
  constexpr const char* name = "adaptive_avg_pool2d";
  const TensorImpl& x = impl_of(input, name);
  if (output_size.size() != 2) fail<ValueError>(name, "adaptive_avg_pool2d: output_size must be 2");
  if (output_size[0] < 0 || output_size[1] < 0) {
    fail<ValueError>(name, fmt::format("adaptive_avg_pool2d: elements of output_size must be greater than or equal to "
                                       "0 but received {{{}, {}}}",
                                       output_size[0], output_size[1]));
  }
  if (output_size[0] == 1 && output_size[1] == 1) return input.mean({-1, -2}, true);
  auto sizes = x.sizes;
  if (sizes.count != 3 && sizes.count != 4) {
    fail<ShapeError>(
        name, fmt::format("adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got {}", detail::text(sizes.ref())));
  }
  for (int i = 0; i < 2; ++i) {
    std::int64_t& size = sizes[sizes.count - 2 + i];
    if (size == 0) {
      fail<ShapeError>(name, fmt::format("adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch "
                                         "dimensions, but input has sizes {} with dimension {} being empty",
                                         detail::text(x.sizes.ref()), sizes.count - 2 + i));
    }
    size = output_size[static_cast<std::size_t>(i)];
  }
  detail::check_floating(x, name, name);
  const PoolingOptions options;
  return recorded(averages(Operation::adaptive_avg_pool2d, input, sizes, options),
                  detail::Recorded::AdaptiveAvgPool2DBackward0, input, options);
}

}  // namespace d2l

namespace d2l::detail::derivatives {

namespace {

Tensor image_gradient(Operation backward, const RecordedOperation& operation, const Tensor& g, const Tensor& indices) {
  const auto& sizes = operation.saved(0).impl()->sizes;
  return pooling_gradient(backward, g, indices, sizes, state_of<PoolingOptions>(operation));
}

}  // namespace

D2L_DERIVATIVE(MaxPool2DWithIndicesBackward0,
               image_gradient(Operation::max_pool2d_backward, operation, g, operation.saved(1)))
D2L_DERIVATIVE(AvgPool2DBackward0, image_gradient(Operation::avg_pool2d_backward, operation, g, {}))
D2L_DERIVATIVE(AdaptiveAvgPool2DBackward0, adaptive_avg_pool2d_gradient(g, operation.saved(0).impl()->sizes))

}  // namespace d2l::detail::derivatives
