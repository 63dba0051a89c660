// SPDX-License-Identifier: MIT
// im2col: the windows of images as columns, which nn::functional::unfold() gives.
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "autograd/recording.h"
#include "core/construct.h"
#include "core/messages.h"
#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "ops/arithmetic_rules.h"

namespace d2l {

using detail::Dimensions;
using detail::fail;
using detail::impl_of;
using detail::Recorded;
using detail::TensorImpl;

namespace {

constexpr const char* im2col_name = "im2col";
using Pair = std::array<std::int64_t, 2>;

struct Im2ColState {
  Pair kernel;
  Pair dilation;
  Pair padding;
  Pair stride;
  Pair windows;
};

Pair pair_of(IntArrayRef numbers, const char* what, const char* parts, std::int64_t least) {
  if (numbers.size() != 1 && numbers.size() != 2) {
    const bool is_kernel = std::string_view(parts) == "kernel";
    fail<ValueError>(
        im2col_name,
        fmt::format("It is expected {} equals to 2, but got size {}", is_kernel ? "kernel_size" : what, numbers.size()),
        {}, "give one number, or one for the height and one for the width");
  }
  const Pair pair{numbers.front(), numbers.back()};
  if (pair[0] >= least && pair[1] >= least) return pair;
  fail<ValueError>(im2col_name,
                   fmt::format("{} should be {}, but got {}_height: {} {}_width: {}", what,
                               least > 0 ? "greater than zero" : "non-negative", parts, pair[0], parts, pair[1]),
                   {}, "give numbers in the range");
}

/// The elements i × dilation + w × stride of each window w and each place i of a window, as a view of (N, C, H, W).
Tensor window_view(const TensorImpl& padded, const Im2ColState& s) {
  Dimensions sizes{{padded.sizes[0], padded.sizes[1], s.kernel[0], s.kernel[1], s.windows[0], s.windows[1]}, 6};
  const auto& in = padded.strides;
  const Dimensions strides{
      {in[0], in[1], in[2] * s.dilation[0], in[3] * s.dilation[1], in[2] * s.stride[0], in[3] * s.stride[1]}, 6};
  return detail::make_view(padded, sizes, strides, padded.offset);
}

Tensor with_padding(const Tensor& images, const Pair& padding) {
  if (padding[0] == 0 && padding[1] == 0) return images.contiguous();
  const auto& sizes = images.impl()->sizes;
  Tensor padded = zeros({sizes[0], sizes[1], sizes[2] + 2 * padding[0], sizes[3] + 2 * padding[1]},
                        images.options().requires_grad(false));
  padded.narrow(2, padding[0], sizes[2]).narrow(3, padding[1], sizes[3]).copy_(images);
  return padded;
}

void check_images(const TensorImpl& impl) {
  bool positive = true;
  for (int i = 1; i < impl.sizes.count; ++i) positive = positive && impl.sizes[i] != 0;
  if ((impl.sizes.count == 3 && impl.sizes[0] != 0 && positive) || (impl.sizes.count == 4 && positive)) return;
  fail<ShapeError>(im2col_name,
                   fmt::format("Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero "
                               "dimensions for input, but got: {}",
                               detail::text(impl.sizes.ref())),
                   detail::operands({{"input", &impl}}), "give images (N, C, H, W) or (C, H, W)");
}

}  // namespace

Tensor im2col(const Tensor& input, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
              IntArrayRef stride) {
  const TensorImpl& impl = impl_of(input, im2col_name);
  Im2ColState s{pair_of(kernel_size, "kernel size", "kernel", 1),
                pair_of(dilation, "dilation", "dilation", 1),
                pair_of(padding, "padding", "pad", 0),
                pair_of(stride, "stride", "stride", 1),
                {}};
  check_images(impl);
  detail::check_floating(impl, im2col_name, "im2col_out_cpu");
  const Tensor images = impl.sizes.count == 4 ? input : input.unsqueeze(0);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t size = images.size(static_cast<std::int64_t>(i) + 2);
    const std::int64_t room = size + 2 * s.padding[i] - s.dilation[i] * (s.kernel[i] - 1) - 1;
    s.windows[i] = (room < 0 ? -((s.stride[i] - 1 - room) / s.stride[i]) : room / s.stride[i]) + 1;  // rounded down
  }
  if (s.windows[0] < 1 || s.windows[1] < 1) {
    fail<ShapeError>(
        im2col_name,
        fmt::format("Given input with spatial size ({}, {}), kernel_size=({}, {}), dilation=({}, {}), "
                    "padding=({}, {}), calculated shape of the array of sliding blocks as ({}, {}), but its "
                    "components must be at least one.",
                    images.size(2), images.size(3), s.kernel[0], s.kernel[1], s.dilation[0], s.dilation[1],
                    s.padding[0], s.padding[1], s.windows[0], s.windows[1]),
        detail::operands({{"input", &impl}}), "take a smaller kernel, or more padding");
  }
  Tensor columns = detail::unrecorded([&] {
    const Tensor padded = with_padding(images, s.padding);
    const Tensor all =
        window_view(*padded.impl(), s)
            .reshape({images.size(0), images.size(1) * s.kernel[0] * s.kernel[1], s.windows[0] * s.windows[1]});
    return all.impl()->storage == impl.storage ? all.clone() : all;
  });
  if (detail::is_recorded(images)) {
    auto record = detail::record(Recorded::Im2ColBackward0, {&images});
    record->state = s;
    detail::attach(columns, std::move(record));
  }
  return impl.sizes.count == 4 ? columns : columns.squeeze(0);
}

}  // namespace d2l

namespace d2l::detail::derivatives {

/// Adds the gradients of the windows: those of one place of each window do not overlap.
void Im2ColBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto& s = state_of<Im2ColState>(operation);
  const auto& sizes = operation.inputs[0].sizes;
  Tensor padded = zeros({sizes[0], sizes[1], sizes[2] + 2 * s.padding[0], sizes[3] + 2 * s.padding[1]}, g.options());
  const Tensor windows = g.reshape({sizes[0], sizes[1], s.kernel[0], s.kernel[1], s.windows[0], s.windows[1]});
  const Tensor shown = window_view(*padded.impl(), s);
  for (std::int64_t i = 0; i < s.kernel[0]; ++i) {
    for (std::int64_t j = 0; j < s.kernel[1]; ++j) {
      shown.select(3, j).select(2, i).add_(windows.select(3, j).select(2, i));
    }
  }
  results[0] = padded.narrow(2, s.padding[0], sizes[2]).narrow(3, s.padding[1], sizes[3]);
}

}  // namespace d2l::detail::derivatives
