// SPDX-License-Identifier: MIT
// The members of Tensor for gradients, and its detached forms.

#include "autograd/recording.h"
#include "core/messages.h"

namespace d2l {

using detail::any_impl_of;
using detail::fail;
using detail::impl_of;
using detail::operands;
using detail::TensorImpl;

bool TensorBase::requires_grad() const { return detail::wants_gradient(any_impl_of(*this, "requires_grad")); }

const Tensor& Tensor::set_requires_grad(bool requires_grad) const {
  TensorImpl& impl = any_impl_of(*this, "set_requires_grad");
  if (requires_grad && !isFloatingType(impl.dtype)) {
    fail<TypeError>("set_requires_grad", "only Tensors of floating point and complex dtype can require gradients",
                    operands({{"it", &impl}}), "convert it first, for example x.to(kFloat)");
  }
  if (!is_leaf()) {
    if (requires_grad) return *this;
    fail<ValueError>(
        "set_requires_grad",
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable "
        "in a subgraph that doesn't require differentiation use var_no_grad = var.detach().",
        operands({{"it", &impl}}));
  }
  impl.requires_grad = requires_grad;
  if (requires_grad) impl.behind_autograd = false;
  return *this;
}

const Tensor& Tensor::requires_grad_(bool requires_grad) const {
  const TensorImpl& impl = any_impl_of(*this, "requires_grad_");
  if (requires_grad && !isFloatingType(impl.dtype)) {
    fail<TypeError>("requires_grad_", "only Tensors of floating point dtype can require gradients",
                    operands({{"it", &impl}}), "convert it first, for example x.to(kFloat)");
  }
  return set_requires_grad(requires_grad);
}

bool TensorBase::is_leaf() const {
  const TensorImpl& impl = any_impl_of(*this, "is_leaf");
  return impl.grad_fn == nullptr &&
         !(impl.base != nullptr && impl.base->requires_grad && detail::is_tracked_through_base(impl));
}

std::shared_ptr<autograd::Node> TensorBase::grad_fn() const {
  any_impl_of(*this, "grad_fn");
  return detail::edge_of(Tensor(impl_)).operation;
}

Tensor& Tensor::grad() const { return any_impl_of(*this, "grad").grad; }
Tensor& Tensor::mutable_grad() const { return any_impl_of(*this, "grad").grad; }

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

Tensor Tensor::detach() const { return detail::alias_of(any_impl_of(*this, "detach")); }

Tensor Tensor::data() const {
  Tensor elements = detail::alias_of(any_impl_of(*this, "data"));
  elements.impl()->behind_autograd = true;
  return elements;
}

const Tensor& Tensor::detach_() const {
  TensorImpl& impl = impl_of(*this, "detach_");
  if (impl.base != nullptr && detail::wants_gradient(impl)) {
    fail<ValueError>(
        "detach_",
        "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) "
        "for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and "
        "hence detach_() cannot be called on these gradients. To fix this error, please refer to the "
        "Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution.",
        operands({{"it", &impl}}));
  }
  detail::release(std::move(impl.grad_fn));
  impl.grad_fn = nullptr;
  impl.base = nullptr;
  impl.requires_grad = false;
  return *this;
}

void Tensor::set_data(const Tensor& new_data) const {
  TensorImpl& impl = any_impl_of(*this, "set_data");
  const TensorImpl& source = impl_of(new_data, "set_data");
  if (impl.requires_grad && !isFloatingType(source.dtype)) {
    fail<TypeError>("set_data", "data set to a tensor that requires gradients must be floating point or complex dtype",
                    operands({{"it", &impl}, {"data", &source}}));
  }
  const bool behind_autograd = impl.behind_autograd;
  static_cast<detail::StridedView&>(impl) = source;
  impl.behind_autograd = behind_autograd;
}

std::int64_t TensorBase::_version() const { return impl_of(*this, "_version").storage->version(); }

}  // namespace d2l
