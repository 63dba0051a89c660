// SPDX-License-Identifier: MIT
// Activations with numbers as arguments, which no line of the table alone defines.
#include <string_view>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "d2l/layer_ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/elementwise_launch.h"

namespace d2l {

using detail::CastRule;
using detail::check_floating;
using detail::elementwise;
using detail::fail;
using detail::impl_of;
using detail::Operation;
using detail::Recorded;
using detail::TensorImpl;

namespace {

struct GeluState {
  bool by_tanh;
};
struct SoftplusState {
  Scalar beta;
  Scalar threshold;
};
struct LeakyReluState {
  Scalar negative_slope;
};
struct EluState {
  Scalar alpha;
};

/// `result`, with a record that saves x and the state.
template <class State>
Tensor recorded(const Tensor& result, Recorded kind, const Tensor& x, const State& state) {
  if (!detail::is_recorded(x)) return result;
  auto record = detail::record(kind, {&x});
  detail::save(*record, 0, x);
  record->state = state;
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace

Tensor gelu(const Tensor& x, std::string_view approximate) {
  const TensorImpl& impl = impl_of(x, "gelu");
  const bool by_tanh = approximate == "tanh";
  if (!by_tanh && approximate != "none") {
    fail<ValueError>("gelu", "approximate argument must be either none or tanh.");
  }
  check_floating(impl, "gelu", "GeluKernelImpl");
  return recorded(elementwise(by_tanh ? Operation::gelu_tanh : Operation::gelu, impl, impl.dtype),
                  Recorded::GeluBackward0, x, GeluState{by_tanh});
}

Tensor silu(const Tensor& x) {
  const TensorImpl& impl = impl_of(x, "silu");
  check_floating(impl, "silu", "silu_cpu");
  return recorded(elementwise(Operation::silu, impl, impl.dtype), Recorded::SiluBackward0, x, std::any());
}

Tensor softplus(const Tensor& x, Scalar beta, Scalar threshold) {
  if (detail::autocasts(CastRule::full_on_gpu, x)) {
    const auto converted = [&](const Tensor& y) { return softplus(y, beta, threshold); };
    return detail::with_casts(CastRule::full_on_gpu, converted, x);
  }
  const TensorImpl& impl = impl_of(x, "softplus");
  check_floating(impl, "softplus", "softplus_cpu");
  const Tensor result = detail::make_tensor(impl.sizes, impl.dtype, impl.device(), false, "softplus");
  detail::choice_into(Operation::softplus, *result.impl(), {impl, beta, threshold}, impl.dtype);
  return recorded(result, Recorded::SoftplusBackward0, x, SoftplusState{beta, threshold});
}

Tensor leaky_relu(const Tensor& x, Scalar negative_slope) {
  const TensorImpl& impl = impl_of(x, "leaky_relu");
  check_floating(impl, "leaky_relu", "leaky_relu_cpu");
  return recorded(elementwise(Operation::leaky_relu, impl, negative_slope, impl.dtype, impl.dtype),
                  Recorded::LeakyReluBackward0, x, LeakyReluState{negative_slope});
}

Tensor elu(const Tensor& x, Scalar alpha) {
  const TensorImpl& impl = impl_of(x, "elu");
  check_floating(impl, "elu", "elu_cpu");
  return recorded(elementwise(Operation::elu, impl, alpha, impl.dtype, impl.dtype), Recorded::EluBackward0, x,
                  EluState{alpha});
}

}  // namespace d2l

namespace d2l::detail::derivatives {

namespace {

/// f(g, x, …) of one shape, for an activation's derivative.
Tensor slope(Operation derivative, const Tensor& g, const Tensor& x) {
  return elementwise(derivative, Argument(*g.impl()), Argument(*x.impl()), x.dtype(), x.dtype());
}
Tensor slope(Operation derivative, const Tensor& x, std::initializer_list<Argument> inputs) {
  Tensor result = make_tensor(x.impl()->sizes, x.dtype(), x.device(), false, info(derivative).name);
  choice_into(derivative, *result.impl(), inputs, x.dtype());
  return result;
}

}  // namespace

void GeluBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto derivative =
      state_of<GeluState>(operation).by_tanh ? Operation::gelu_tanh_backward : Operation::gelu_backward;
  results[0] = slope(derivative, g, operation.saved(0));
}

D2L_DERIVATIVE(SiluBackward0, slope(Operation::silu_backward, g, operation.saved(0)))

void LeakyReluBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  results[0] = slope(Operation::leaky_relu_backward, x,
                     {*g.impl(), *x.impl(), state_of<LeakyReluState>(operation).negative_slope});
}

void EluBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  results[0] = slope(Operation::elu_backward, x, {*g.impl(), *x.impl(), state_of<EluState>(operation).alpha});
}

void SoftplusBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const auto& [beta, threshold] = state_of<SoftplusState>(operation);
  results[0] = slope(Operation::softplus_backward, x, {*g.impl(), *x.impl(), beta, threshold});
}

}  // namespace d2l::detail::derivatives
