// SPDX-License-Identifier: MIT
#include "d2l/nn/upsampling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/messages.h"
#include "d2l/layer_ops.h"
#include "d2l/repr.h"

namespace d2l::nn {

namespace {

constexpr const char* interpolate_name = "interpolate";
using d2l::detail::impl_of;

[[noreturn]] void refuse(const std::string& sentence, const char* advice) {
  d2l::detail::fail<ValueError>(interpolate_name, sentence, {}, advice);
}

/// One number for each dimension of an image.
template <class T>
std::vector<T> expanded(const std::vector<T>& numbers, const Tensor& input, bool are_sizes) {
  const std::int64_t count = input.dim() - 2;
  if (numbers.size() == 1) return std::vector<T>(static_cast<std::size_t>(count), numbers[0]);
  if (static_cast<std::int64_t>(numbers.size()) == count) return numbers;
  const std::vector<std::int64_t> image = IntArrayRef(input.sizes().data() + 2, static_cast<std::size_t>(count)).vec();
  refuse(
      fmt::format("Input and {} must have the same number of spatial dimensions, but got input with spatial "
                  "dimensions of {} and {} ({}). Please provide input tensor in (N, C, d1, d2, ...,dK) format and {}",
                  are_sizes ? "output" : "scale_factor", d2l::detail::text(image),
                  are_sizes ? "output size of" : "scale_factor of shape", fmt::join(numbers, ", "),
                  are_sizes ? "output size in (o1, o2, ...,oK) format." : "scale_factor in (s1, s2, ...,sK) format."),
      "give one number, or one for each dimension of the image");
}

template <class Options>
Tensor resized(const Tensor& input, const Options& options) {
  const auto& impl = impl_of(input, interpolate_name);
  const std::int64_t dims = impl.sizes.count - 2;
  const auto& mode = options.mode().name();
  if (mode == "nearest" && options.align_corners()) {
    refuse("align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear",
           "leave out align_corners");
  }
  if (options.size().has_value() == options.scale_factor().has_value()) {
    refuse(options.size() ? "only one of size or scale_factor should be defined"
                          : "either size or scale_factor should be defined",
           "give the sizes, or the factors");
  }
  if (dims != 1 && dims != 2) {
    d2l::detail::fail<ShapeError>(
        interpolate_name,
        fmt::format("Input Error: Only 3D, 4D and 5D input Tensors supported (got {}D) for the modes: nearest | linear "
                    "| bilinear | bicubic | trilinear | area | nearest-exact (got {})",
                    impl.sizes.count, mode),
        d2l::detail::operands({{"input", &impl}}), "give (N, C, width), or (N, C, height, width)");
  }
  std::vector<std::int64_t> sizes;
  std::vector<std::optional<double>> scales(static_cast<std::size_t>(dims));
  if (options.size()) {
    if (options.recompute_scale_factor().value_or(false)) {
      refuse("recompute_scale_factor is not meaningful with an explicit size.", "leave it out");
    }
    sizes = expanded(*options.size(), input, true);
  } else {
    const auto factors = expanded(*options.scale_factor(), input, false);
    for (std::int64_t i = 0; i < dims; ++i) {
      const double factor = factors[static_cast<std::size_t>(i)];
      sizes.push_back(static_cast<std::int64_t>(std::floor(static_cast<double>(input.size(i + 2)) * factor)));
      if (!options.recompute_scale_factor().value_or(false)) scales[static_cast<std::size_t>(i)] = factor;
    }
  }
  const bool align = options.align_corners().value_or(false);
  if (mode == "nearest") {
    return dims == 1 ? upsample_nearest1d(input, sizes, scales[0])
                     : upsample_nearest2d(input, sizes, scales[0], scales[1]);
  }
  if (dims == 1 && mode == "linear") return upsample_linear1d(input, sizes, align, scales[0]);
  if (dims == 2 && mode == "bilinear") return upsample_bilinear2d(input, sizes, align, scales[0], scales[1]);
  refuse(dims == 1 ? "Got 3D input, but bilinear mode needs 4D input" : "Got 4D input, but linear mode needs 3D input",
         "linear is for (N, C, width), and bilinear for (N, C, height, width)");
}

std::string pair_text(const ExpandingArray<2>& numbers) {
  return numbers.is_single() ? fmt::format("{}", (*numbers)[0]) : fmt::format("({}, {})", (*numbers)[0], (*numbers)[1]);
}

template <class Options>
Tensor columns_of(const Tensor& input, const Options& options) {
  const auto& [kernel, dilation, padding, stride] =
      std::tuple(*options.kernel_size(), *options.dilation(), *options.padding(), *options.stride());
  return im2col(input, {kernel[0], kernel[1]}, {dilation[0], dilation[1]}, {padding[0], padding[1]},
                {stride[0], stride[1]});
}

}  // namespace

InterpolationMode::InterpolationMode(init::Nonlinearity linear)
    : InterpolationMode(linear == kLinear ? "linear" : "") {}

InterpolationMode::InterpolationMode(std::string given) : name_(std::move(given)) {
  if (name_ == "nearest" || name_ == "linear" || name_ == "bilinear") return;
  refuse(fmt::format("the mode \"{}\" does not exist here", name_), "choose kNearest, kLinear or kBilinear");
}

Tensor functional::interpolate(const Tensor& input, const InterpolateFuncOptions& options) {
  return resized(input, options);
}

Tensor functional::unfold(const Tensor& input, const UnfoldFuncOptions& options) { return columns_of(input, options); }

Tensor UpsampleImpl::forward(const Tensor& input) { return resized(input, options); }

std::string UpsampleImpl::extra_repr() const {
  const auto mode = fmt::format(", mode='{}'", options.mode().name());
  const auto text = [](const auto& numbers) {
    std::vector<std::string> all;
    for (const auto number : numbers) all.push_back(d2l::repr(number));
    return all.size() == 1 ? all[0] : fmt::format("({})", fmt::join(all, ", "));
  };
  if (options.scale_factor()) return "scale_factor=" + text(*options.scale_factor()) + mode;
  return "size=" + (options.size() ? text(*options.size()) : "None") + mode;
}

std::shared_ptr<Module> UpsampleImpl::clone() const {
  auto copy = std::make_shared<UpsampleImpl>(options);
  copy->train(is_training());
  return copy;
}

Tensor UnfoldImpl::forward(const Tensor& input) { return columns_of(input, options); }

std::string UnfoldImpl::extra_repr() const {
  return fmt::format("kernel_size={}, dilation={}, padding={}, stride={}", pair_text(options.kernel_size()),
                     pair_text(options.dilation()), pair_text(options.padding()), pair_text(options.stride()));
}

std::shared_ptr<Module> UnfoldImpl::clone() const {
  auto copy = std::make_shared<UnfoldImpl>(options);
  copy->train(is_training());
  return copy;
}

}  // namespace d2l::nn
