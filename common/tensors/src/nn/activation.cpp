// SPDX-License-Identifier: MIT
#include "d2l/nn/activation.h"

#include <fmt/format.h>

#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "d2l/nn/init.h"
#include "d2l/repr.h"
#include "nn/copy_state.h"

namespace d2l::nn {

namespace {

/// A layer like `layer`, made of `arguments`.
template <class Layer, class... Arguments>
std::shared_ptr<Module> activation_like(const Layer& layer, const Arguments&... arguments) {
  auto copy = std::make_shared<Layer>(arguments...);
  copy->train(layer.is_training());
  return copy;
}

/// f(x), or x after f(x) was written into it.
template <class Function>
Tensor activated(const Tensor& input, bool inplace, const Function& function) {
  if (!inplace) return function(input);
  Tensor result = input;
  // The derivative needs the elements that are written.
  return result.copy_(function(input.clone()));
}

std::string inplace_text(bool inplace) { return inplace ? ", inplace=True" : ""; }

}  // namespace

Tensor ReLUImpl::forward(const Tensor& input) {
  if (!options.inplace()) return input.relu();
  Tensor result = input;
  return result.relu_();
}

std::string ReLUImpl::extra_repr() const { return options.inplace() ? "inplace=True" : ""; }

std::shared_ptr<Module> ReLUImpl::clone() const { return activation_like(*this, options); }

Tensor SigmoidImpl::forward(const Tensor& input) { return input.sigmoid(); }

std::shared_ptr<Module> SigmoidImpl::clone() const { return activation_like(*this); }

Tensor TanhImpl::forward(const Tensor& input) { return input.tanh(); }

std::shared_ptr<Module> TanhImpl::clone() const { return activation_like(*this); }

Tensor SiLUImpl::forward(const Tensor& input) { return silu(input); }

std::shared_ptr<Module> SiLUImpl::clone() const { return activation_like(*this); }

Tensor GELUImpl::forward(const Tensor& input) { return gelu(input, options.approximate()); }

std::string GELUImpl::extra_repr() const { return fmt::format("approximate='{}'", options.approximate()); }

std::shared_ptr<Module> GELUImpl::clone() const { return activation_like(*this, options); }

Tensor LeakyReLUImpl::forward(const Tensor& input) {
  return activated(input, options.inplace(), [&](const Tensor& x) { return leaky_relu(x, options.negative_slope()); });
}

std::string LeakyReLUImpl::extra_repr() const {
  return "negative_slope=" + d2l::repr(options.negative_slope()) + inplace_text(options.inplace());
}

std::shared_ptr<Module> LeakyReLUImpl::clone() const { return activation_like(*this, options); }

PReLUImpl::PReLUImpl(const PReLUOptions& chosen)
    : options(chosen), weight(register_parameter("weight", full({chosen.num_parameters()}, chosen.init(), kFloat))) {}

Tensor PReLUImpl::forward(const Tensor& input) { return prelu(input, weight); }

std::string PReLUImpl::extra_repr() const { return fmt::format("num_parameters={}", options.num_parameters()); }

std::shared_ptr<Module> PReLUImpl::clone() const {
  auto copy = std::make_shared<PReLUImpl>(options);
  d2l::detail::copy_state(*this, *copy);
  return copy;
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the layer.
void PReLUImpl::reset_parameters() { init::constant_(weight, options.init()); }

Tensor ELUImpl::forward(const Tensor& input) {
  return activated(input, options.inplace(), [&](const Tensor& x) { return elu(x, options.alpha()); });
}

std::string ELUImpl::extra_repr() const {
  return "alpha=" + d2l::repr(options.alpha()) + inplace_text(options.inplace());
}

std::shared_ptr<Module> ELUImpl::clone() const { return activation_like(*this, options); }

Tensor SoftplusImpl::forward(const Tensor& input) { return softplus(input, options.beta(), options.threshold()); }

std::string SoftplusImpl::extra_repr() const {
  return fmt::format("beta={}, threshold={}", d2l::repr(options.beta()), d2l::repr(options.threshold()));
}

std::shared_ptr<Module> SoftplusImpl::clone() const { return activation_like(*this, options); }

Tensor SoftmaxImpl::forward(const Tensor& input) { return input.softmax(options.dim()); }

std::string SoftmaxImpl::extra_repr() const { return fmt::format("dim={}", options.dim()); }

std::shared_ptr<Module> SoftmaxImpl::clone() const { return activation_like(*this, options); }

Tensor LogSoftmaxImpl::forward(const Tensor& input) { return input.log_softmax(options.dim()); }

std::string LogSoftmaxImpl::extra_repr() const { return fmt::format("dim={}", options.dim()); }

std::shared_ptr<Module> LogSoftmaxImpl::clone() const { return activation_like(*this, options); }

}  // namespace d2l::nn
