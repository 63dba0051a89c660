// SPDX-License-Identifier: MIT
// Tensor: what it is and what it holds.
#include "d2l/tensor.h"

#include <fmt/format.h>

#include <cstring>

#include "ops/dispatch.h"
#include "tensor/host_values.h"

namespace d2l {

using detail::any_impl_of;
using detail::impl_of;
using detail::TensorImpl;

Device Tensor::device() const { return any_impl_of(*this, "device").device(); }
ScalarType Tensor::dtype() const { return any_impl_of(*this, "dtype").dtype; }
IntArrayRef Tensor::sizes() const { return impl_of(*this, "sizes").sizes.ref(); }
IntArrayRef Tensor::strides() const { return impl_of(*this, "strides").strides.ref(); }
std::int64_t Tensor::dim() const { return impl_of(*this, "dim").sizes.count; }
std::int64_t Tensor::numel() const { return impl_of(*this, "numel").numel; }
std::int64_t Tensor::storage_offset() const { return impl_of(*this, "storage_offset").offset; }
std::int64_t Tensor::element_size() const { return static_cast<std::int64_t>(elementSize(dtype())); }
std::int64_t Tensor::nbytes() const { return numel() * element_size(); }
bool Tensor::is_cpu() const { return device().is_cpu(); }
bool Tensor::is_cuda() const { return device().is_cuda(); }
bool Tensor::is_contiguous() const { return impl_of(*this, "is_contiguous").contiguous; }
bool Tensor::is_pinned() const { return any_impl_of(*this, "is_pinned").storage->pinned(); }
bool Tensor::is_floating_point() const { return isFloatingType(dtype()); }

TensorOptions Tensor::options() const {
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

std::int64_t Tensor::size(std::int64_t dim) const {
  const TensorImpl& impl = impl_of(*this, "size");
  return impl.sizes[existing_dimension(impl, dim, "size")];
}

std::int64_t Tensor::stride(std::int64_t dim) const {
  const TensorImpl& impl = impl_of(*this, "stride");
  return impl.strides[existing_dimension(impl, dim, "stride")];
}

Scalar Tensor::item() const {
  const TensorImpl& impl = impl_of(*this, "item");
  if (impl.numel != 1) {
    detail::fail<ValueError>(
        "item",
        fmt::format("only one element tensors can be converted to Python scalars: a Tensor with {} "
                    "elements cannot be converted to Scalar",
                    impl.numel),
        detail::operands({{"it", &impl}}), "select an element first, for example x[0], or use to_vector");
  }
  return detail::single_value(*this, "item");
}

bool Tensor::is_nonzero() const {
  const TensorImpl& impl = impl_of(*this, "is_nonzero");
  if (impl.numel != 1) {
    detail::fail<ValueError>("is_nonzero",
                             impl.numel == 0 ? "Boolean value of Tensor with no values is ambiguous"
                                             : "Boolean value of Tensor with more than one value is ambiguous",
                             detail::operands({{"it", &impl}}), "reduce it to one element first");
  }
  return detail::single_value(*this, "is_nonzero").toBool();
}

void* Tensor::data_ptr() const {
  const TensorImpl& impl = impl_of(*this, "data_ptr");
  impl.storage->wait_until_ready();
  return impl.numel == 0 ? nullptr : impl.data();
}

template <class T>
T* Tensor::data_ptr() const {
  const TensorImpl& impl = impl_of(*this, "data_ptr");
  constexpr auto asked = CppTypeToScalarType<T>::value;
  if (impl.dtype != asked) {
    detail::fail<TypeError>(
        "data_ptr", fmt::format("expected scalar type {} but found {}", toString(asked), toString(impl.dtype)),
        detail::operands({{"it", &impl}}), "convert it first with to(dtype), or ask for its own type");
  }
  return static_cast<T*>(data_ptr());
}

template <class T>
std::vector<T> Tensor::to_vector() const {
  impl_of(*this, "to_vector");
  const auto host = detail::converted(detail::to_host(*this, "to_vector", false), CppTypeToScalarType<T>::value);
  const auto* first = static_cast<const T*>(host.impl()->data());
  return std::vector<T>(first, first + host.numel());
}

#define D2L_INSTANTIATE(type)                    \
  template type* Tensor::data_ptr<type>() const; \
  template std::vector<type> Tensor::to_vector<type>() const;
D2L_INSTANTIATE(bool)
D2L_INSTANTIATE(std::uint8_t)
D2L_INSTANTIATE(std::int32_t)
D2L_INSTANTIATE(std::int64_t)
D2L_INSTANTIATE(float)
D2L_INSTANTIATE(double)
#undef D2L_INSTANTIATE

Tensor& Tensor::operator=(const Tensor& values) && {
  Tensor source = values;
  while (source.dim() > dim() && source.size(0) == 1) source = source.select(0, 0);
  return copy_(source.expand(sizes()));
}
Tensor& Tensor::operator=(const Scalar& value) && { return fill_(value); }

}  // namespace d2l
