// SPDX-License-Identifier: MIT
// Reading a tensor's values on the host: item, to_vector, data_ptr.
#include <fmt/format.h>

#include "ledger/ledger.h"
#include "ops/elementwise_launch.h"
#include "tensor/copies.h"

namespace d2l {

namespace detail {

Tensor to_host(const Tensor& tensor, const char* operation, bool implicit) {
  const TensorImpl& impl = impl_of(tensor, operation);
  if (impl.device().is_cpu()) {
    impl.storage->wait_until_readable();
    return row_major(tensor);
  }
  if (implicit) {
    const auto bytes = impl.numel * bytes_each(impl.dtype);
    check_implicit_copy(operation, impl.device(), Device(kCPU), bytes);
  }
  return copied(tensor, Device(kCPU), impl.dtype, false, {operation, implicit, false});
}

Scalar single_value(const Tensor& tensor, const char* operation) {
  return read_number(*to_host(tensor, operation, true).impl());
}

}  // namespace detail

using detail::impl_of;
using detail::TensorImpl;

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
D2L_INSTANTIATE(Half)
D2L_INSTANTIATE(BFloat16)
D2L_INSTANTIATE(float)
D2L_INSTANTIATE(double)
#undef D2L_INSTANTIATE

}  // namespace d2l
