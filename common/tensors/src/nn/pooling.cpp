// SPDX-License-Identifier: MIT
#include "d2l/nn/pooling.h"

#include <fmt/format.h>

#include "core/messages.h"
#include "d2l/repr.h"

namespace d2l {

void detail::check_expanding_array(std::size_t wanted, std::size_t given) {
  if (given == wanted) return;
  fail<ValueError>("ExpandingArray", fmt::format("Expected {} values, but instead got {}", wanted, given), {},
                   "give one number, or one for each dimension");
}

namespace nn {

namespace {

std::string python_text(std::int64_t number) { return fmt::format("{}", number); }
std::string python_text(const std::optional<std::int64_t>& number) { return number ? python_text(*number) : "None"; }
/// As it was given: "2" or "(2, 3)".
template <class T>
std::string python_text(const ExpandingArray<2, T>& array) {
  if (array.is_single()) return python_text(array[0]);
  return fmt::format("({}, {})", python_text(array[0]), python_text(array[1]));
}

}  // namespace

Tensor MaxPool2dImpl::forward(const Tensor& input) { return functional::max_pool2d(input, options); }

std::tuple<Tensor, Tensor> MaxPool2dImpl::forward_with_indices(const Tensor& input) const {
  return functional::max_pool2d_with_indices(input, options);
}

std::string MaxPool2dImpl::extra_repr() const {
  return fmt::format("kernel_size={}, stride={}, padding={}, dilation={}, ceil_mode={}",
                     python_text(options.kernel_size()), python_text(options.stride()), python_text(options.padding()),
                     python_text(options.dilation()), d2l::repr(options.ceil_mode()));
}

Tensor AvgPool2dImpl::forward(const Tensor& input) { return functional::avg_pool2d(input, options); }

std::string AvgPool2dImpl::extra_repr() const {
  return fmt::format("kernel_size={}, stride={}, padding={}", python_text(options.kernel_size()),
                     python_text(options.stride()), python_text(options.padding()));
}

Tensor AdaptiveAvgPool2dImpl::forward(const Tensor& input) { return functional::adaptive_avg_pool2d(input, options); }

std::string AdaptiveAvgPool2dImpl::extra_repr() const { return "output_size=" + python_text(options.output_size()); }

#define D2L_CLONE(Impl)                          \
  std::shared_ptr<Module> Impl::clone() const {  \
    auto copy = std::make_shared<Impl>(options); \
    copy->train(is_training());                  \
    return copy;                                 \
  }
D2L_CLONE(MaxPool2dImpl)
D2L_CLONE(AvgPool2dImpl)
D2L_CLONE(AdaptiveAvgPool2dImpl)
#undef D2L_CLONE

namespace functional {

Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& options) {
  return d2l::max_pool2d(input, options.kernel_size(), options.stride(), options.padding(), options.dilation(),
                         options.ceil_mode());
}

std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, const MaxPool2dFuncOptions& options) {
  return d2l::max_pool2d_with_indices(input, options.kernel_size(), options.stride(), options.padding(),
                                      options.dilation(), options.ceil_mode());
}

Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& options) {
  return d2l::avg_pool2d(input, options.kernel_size(), options.stride(), options.padding(), options.ceil_mode(),
                         options.count_include_pad(), options.divisor_override());
}

Tensor adaptive_avg_pool2d(const Tensor& input, const AdaptiveAvgPool2dFuncOptions& options) {
  const auto& wanted = options.output_size();
  if (wanted[0] && wanted[1]) return d2l::adaptive_avg_pool2d(input, {*wanted[0], *wanted[1]});
  const auto& impl = detail::impl_of(input, "adaptive_avg_pool2d");
  if (impl.sizes.count < 3) {
    detail::fail<ValueError>("adaptive_avg_pool2d", "Input dimension should be at least 3",
                             detail::operands({{"input", &impl}}), "the input is (N, C, H, W) or (C, H, W)");
  }
  const auto size = [&](int i) { return wanted[static_cast<std::size_t>(i)].value_or(input.size(i - 2)); };
  return d2l::adaptive_avg_pool2d(input, {size(0), size(1)});
}

}  // namespace functional
}  // namespace nn
}  // namespace d2l
