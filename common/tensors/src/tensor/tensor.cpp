// SPDX-License-Identifier: MIT
// Tensor: shape, dtype and device, and assignment to a part.
#include "d2l/tensor.h"

#include <fmt/format.h>

#include "core/messages.h"

namespace d2l {

using detail::any_impl_of;
using detail::impl_of;
using detail::TensorImpl;

Device TensorBase::device() const { return any_impl_of(*this, "device").device(); }
ScalarType TensorBase::dtype() const { return any_impl_of(*this, "dtype").dtype; }
IntArrayRef TensorBase::sizes() const { return impl_of(*this, "sizes").sizes.ref(); }
IntArrayRef TensorBase::strides() const { return impl_of(*this, "strides").strides.ref(); }
std::int64_t TensorBase::dim() const { return impl_of(*this, "dim").sizes.count; }
std::int64_t TensorBase::numel() const { return impl_of(*this, "numel").numel; }
std::int64_t TensorBase::storage_offset() const { return impl_of(*this, "storage_offset").offset; }
std::int64_t TensorBase::element_size() const { return static_cast<std::int64_t>(elementSize(dtype())); }
std::int64_t TensorBase::nbytes() const { return numel() * element_size(); }
bool TensorBase::is_cpu() const { return device().is_cpu(); }
bool TensorBase::is_cuda() const { return device().is_cuda(); }
bool TensorBase::is_privateuseone() const { return device().is_privateuseone(); }
bool TensorBase::is_contiguous() const { return impl_of(*this, "is_contiguous").contiguous; }
bool TensorBase::is_pinned() const { return any_impl_of(*this, "is_pinned").storage->pinned(); }
bool TensorBase::is_floating_point() const { return isFloatingType(dtype()); }

TensorOptions TensorBase::options() const {
  const TensorImpl& impl = any_impl_of(*this, "options");
  return TensorOptions(impl.dtype).device(impl.device());
}

namespace {

int existing_dimension(const TensorImpl& impl, std::int64_t dim, const char* operation) {
  if (impl.sizes.count == 0) {
    detail::fail<IndexError>(operation, fmt::format("Dimension specified as {} but tensor has no dimensions", dim));
  }
  return detail::wrap_dimension(dim, impl.sizes.count, operation);
}

}  // namespace

std::int64_t TensorBase::size(std::int64_t dim) const {
  const TensorImpl& impl = impl_of(*this, "size");
  return impl.sizes[existing_dimension(impl, dim, "size")];
}

std::int64_t TensorBase::stride(std::int64_t dim) const {
  const TensorImpl& impl = impl_of(*this, "stride");
  return impl.strides[existing_dimension(impl, dim, "stride")];
}

Tensor& Tensor::operator=(const Tensor& values) && {
  Tensor source = values;
  while (source.dim() > dim() && source.size(0) == 1) source = source.select(0, 0);
  return copy_(source.expand(sizes()));
}
Tensor& Tensor::operator=(const Scalar& value) && { return fill_(value); }

}  // namespace d2l
