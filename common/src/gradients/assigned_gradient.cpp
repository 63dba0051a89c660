// SPDX-License-Identifier: MIT
// Tensor::set_grad: a gradient that is assigned must fit its tensor.
#include "core/messages.h"

namespace d2l {

using detail::fail;
using detail::operands;

const Tensor& Tensor::set_grad(const Tensor& grad) const {
  constexpr const char* operation = "set_grad";
  if (!defined()) detail::fail_undefined(operation);
  if (!grad.defined()) {
    impl_->grad = Tensor();
    return *this;
  }
  const auto& own = *impl_;
  const auto& given = *grad.impl();
  const std::string both = operands({{"tensor", &own}, {"gradient", &given}});
  if (is_same(grad)) {
    fail<ValueError>(operation, "can't assign Variable as its own grad", both, "assign a copy: x.detach().clone()");
  }
  constexpr const char* other_type = "assigned grad has data of a different type";
  if (own.device().is_cpu() != given.device().is_cpu()) {
    fail<DeviceError>(operation, other_type, both, "move it with grad.to(x.device())");
  }
  if (own.dtype != given.dtype) {
    fail<TypeError>(operation, other_type, both, "convert it with grad.to(x.dtype())");
  }
  if (!(own.device() == given.device())) {
    fail<DeviceError>(operation, "assigned grad has data located on a different device", both,
                      "move it with grad.to(x.device())");
  }
  if (grad.sizes().vec() != sizes().vec()) {
    fail<ShapeError>(operation, "assigned grad has data of a different size", both,
                     "a gradient has the shape of its tensor");
  }
  impl_->grad = grad;
  return *this;
}

}  // namespace d2l
