// SPDX-License-Identifier: MIT
#include "nn/parameter.h"

#include "core/messages.h"
#include "d2l/factories.h"

namespace d2l {

namespace detail {

void make_parameter(const Tensor& tensor, bool requires_grad, const char* name) {
  TensorImpl& impl = *tensor.impl();
  if (requires_grad && !isFloatingType(impl.dtype)) {
    fail<TypeError>("Parameter", "Only Tensors of floating point and complex dtype can require gradients",
                    operands({{name, &impl}}), "convert it with to(kFloat), or pass requires_grad=false");
  }
  if (impl.parameter != ParameterState::uninitialized) {
    tensor.set_requires_grad(requires_grad);
    impl.parameter = ParameterState::parameter;
  } else {
    impl.requires_grad = requires_grad;
  }
}

Tensor clone_parameter(const Tensor& parameter) {
  if (!parameter.defined()) return {};
  const TensorImpl& impl = *parameter.impl();
  if (nn::is_uninitialized(parameter)) {
    return nn::UninitializedParameter(TensorOptions(impl.dtype).device(impl.device()), impl.requires_grad);
  }
  return nn::Parameter(parameter.detach().clone(), impl.requires_grad);
}

MovedParameter moved_parameter(const Tensor& parameter, Device device, ScalarType dtype, bool non_blocking) {
  MovedParameter moved{parameter, {}, {}};
  const TensorImpl& impl = *parameter.impl();
  if (impl.device() != device || impl.dtype != dtype) {
    moved.values = nn::is_uninitialized(parameter) ? empty({0}, TensorOptions(dtype).device(device))
                                                   : parameter.detach().to(device, dtype, non_blocking);
  }
  if (impl.grad.defined() && (impl.grad.device() != device || impl.grad.dtype() != dtype)) {
    moved.gradient = impl.grad.detach().to(device, dtype, non_blocking);
  }
  return moved;
}

void adopt(const MovedParameter& moved) {
  if (moved.values.defined()) moved.parameter.set_data(moved.values);
  if (moved.gradient.defined()) moved.parameter.impl()->grad.set_data(moved.gradient);
}

void clear_gradient(const Tensor& parameter, bool set_to_none) {
  Tensor& grad = parameter.impl()->grad;
  if (!grad.defined()) return;
  if (set_to_none) {
    grad = Tensor();
    return;
  }
  if (grad.impl()->grad_fn != nullptr) {
    grad.detach_();
  } else {
    grad.impl()->requires_grad = false;
  }
  grad.zero_();
}

}  // namespace detail

namespace nn {

using detail::ParameterState;
using detail::TensorImpl;

Tensor Parameter(const Tensor& data, bool requires_grad) {
  detail::impl_of(data, "Parameter");
  auto parameter = data.detach();
  detail::make_parameter(parameter, requires_grad, "data");
  return parameter;
}

Tensor UninitializedParameter(const TensorOptions& options, bool requires_grad) {
  auto parameter = empty({0}, options);
  parameter.impl()->parameter = ParameterState::uninitialized;
  parameter.impl()->requires_grad = requires_grad;
  return parameter;
}

bool is_uninitialized(const Tensor& parameter) noexcept {
  return parameter.defined() && parameter.impl()->parameter == ParameterState::uninitialized;
}

void materialize(const Tensor& parameter, IntArrayRef sizes) {
  if (!is_uninitialized(parameter)) {
    detail::fail<ValueError>("materialize", "the parameter has a shape already",
                             detail::operands({{"parameter", parameter.impl().get()}}), "copy_ new values into it");
  }
  TensorImpl& impl = *parameter.impl();
  parameter.set_data(empty(sizes, TensorOptions(impl.dtype).device(impl.device())));
  impl.parameter = ParameterState::parameter;
}

}  // namespace nn
}  // namespace d2l
