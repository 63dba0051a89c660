// SPDX-License-Identifier: MIT
#include "d2l/nn/layer_norm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "d2l/nn/init.h"
#include "d2l/repr.h"
#include "nn/copy_state.h"

namespace d2l::nn {

namespace {

/// "(2, 3)", or "(2,)".
std::string tuple_text(const std::vector<std::int64_t>& list) {
  return fmt::format("({}{})", fmt::join(list, ", "), list.size() == 1 ? "," : "");
}

}  // namespace

LayerNormImpl::LayerNormImpl(const LayerNormOptions& chosen) : options(chosen) {
  const bool affine = options.elementwise_affine();
  const auto made = [&] { return affine ? empty(options.normalized_shape(), options.parameters()) : Tensor(); };
  weight = register_parameter("weight", made());
  bias = register_parameter("bias", made());
  reset_parameters();
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the layer.
void LayerNormImpl::reset_parameters() {
  if (!options.elementwise_affine()) return;
  init::ones_(weight);
  init::zeros_(bias);
}

Tensor LayerNormImpl::forward(const Tensor& input) {
  return d2l::layer_norm(input, options.normalized_shape(), weight, bias, options.eps());
}

std::string LayerNormImpl::extra_repr() const {
  return fmt::format("{}, eps={}, elementwise_affine={}", tuple_text(options.normalized_shape()),
                     d2l::repr(options.eps()), d2l::repr(options.elementwise_affine()));
}

std::shared_ptr<Module> LayerNormImpl::clone() const {
  auto copy = std::make_shared<LayerNormImpl>(options);
  d2l::detail::copy_state(*this, *copy);
  return copy;
}

RMSNormImpl::RMSNormImpl(const RMSNormOptions& chosen) : options(chosen) {
  weight = register_parameter(
      "weight", options.elementwise_affine() ? ones(options.normalized_shape(), options.parameters()) : Tensor());
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the layer.
void RMSNormImpl::reset_parameters() {
  if (weight.defined()) init::ones_(weight);
}

Tensor RMSNormImpl::forward(const Tensor& input) {
  return d2l::rms_norm(input, options.normalized_shape(), weight, options.eps());
}

std::string RMSNormImpl::extra_repr() const {
  return fmt::format("{}, eps={}, elementwise_affine={}", tuple_text(options.normalized_shape()),
                     options.eps() ? d2l::repr(*options.eps()) : "None", d2l::repr(options.elementwise_affine()));
}

std::shared_ptr<Module> RMSNormImpl::clone() const {
  auto copy = std::make_shared<RMSNormImpl>(options);
  d2l::detail::copy_state(*this, *copy);
  return copy;
}

Tensor functional::layer_norm(const Tensor& input, const LayerNormFuncOptions& options) {
  return d2l::layer_norm(input, options.normalized_shape(), options.weight(), options.bias(), options.eps());
}

}  // namespace d2l::nn
