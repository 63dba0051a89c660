// SPDX-License-Identifier: MIT
// Copies: to, cpu, cuda, copy_to, copy_, clone, pin_memory.
#include "tensor/copies.h"

#include <fmt/format.h>

#include "autograd/recording.h"
#include "d2l/factories.h"
#include "ops/elementwise_launch.h"
#include "ops/operands.h"
#include "runtime/runtime.h"

namespace d2l {

namespace detail {

namespace {

/// out = source, broadcast and converted, on any two devices.
void copy_values(const TensorImpl& out, const Tensor& source, const Transfer& transfer) {
  if (out.numel == 0) return;
  const TensorImpl& from = *source.impl();
  if (from.device() == out.device()) {
    copy_within_device(out, from);
    return;
  }
  // Before the transfer: the destination's dtype and row-major order. After it: broadcasting.
  const Tensor ready = row_major(converted(source, out.dtype));
  const bool straight = out.contiguous && same(out.sizes, from.sizes);
  if (straight) {
    prepare(Operation::copy, {&out});
    ready.impl()->storage->wait_until_readable();
    transfer_bytes(out, *ready.impl(), transfer);
    return;
  }
  const Tensor landed = make_tensor(from.sizes, out.dtype, out.device(), false, transfer.operation);
  ready.impl()->storage->wait_until_readable();
  transfer_bytes(*landed.impl(), *ready.impl(), {transfer.operation, transfer.implicit, false});
  copy_within_device(out, *landed.impl());
}

/// `result`, a copy of `source`, with the record of the copy.
Tensor recorded(Tensor result, const Tensor& source, Recorded kind = Recorded::ToCopyBackward0) {
  if (is_recorded(source) && isFloatingType(result.impl()->dtype)) attach(result, record(kind, {&source}));
  return result;
}

/// A copy, or the tensor itself if neither device nor dtype changes and `copy` is false.
Tensor moved(const Tensor& source, Device device, ScalarType dtype, bool non_blocking, bool copy,
             const char* operation) {
  const TensorImpl& from = impl_of(source, operation);
  if (!copy && from.dtype == dtype && from.device() == device) return source;
  const bool pinned = non_blocking && device.is_cpu() && !from.device().is_cpu();
  return recorded(copied(source, device, dtype, pinned, {operation, false, non_blocking}), source);
}

}  // namespace

Tensor copied(const Tensor& source, Device device, ScalarType dtype, bool pinned, const Transfer& transfer) {
  const TensorImpl& from = *source.impl();
  static_cast<void>(backend_of(device));
  auto out = make_tensor(from.sizes, dtype, device, pinned, transfer.operation);
  copy_values(*out.impl(), source, transfer);
  return out;
}

}  // namespace detail

using detail::impl_of;

Tensor Tensor::to(const TensorOptions& options, bool non_blocking, bool copy) const {
  const auto& impl = impl_of(*this, "to");
  const Device device = options.has_device() ? options.device() : impl.device();
  const ScalarType dtype = options.has_dtype() ? options.dtype() : impl.dtype;
  if (options.pinned_memory() && device.is_cpu() && !impl.storage->pinned()) {
    return detail::recorded(detail::copied(*this, device, dtype, true, {"to", false, non_blocking}), *this);
  }
  return detail::moved(*this, device, dtype, non_blocking, copy, "to");
}

Tensor Tensor::to(Device device, ScalarType dtype, bool non_blocking, bool copy) const {
  return detail::moved(*this, device, dtype, non_blocking, copy, "to");
}

Tensor Tensor::to(ScalarType dtype, bool non_blocking, bool copy) const {
  return detail::moved(*this, impl_of(*this, "to").device(), dtype, non_blocking, copy, "to");
}

Tensor Tensor::to(const Tensor& other, bool non_blocking, bool copy) const {
  const auto& like = impl_of(other, "to");
  return detail::moved(*this, like.device(), like.dtype, non_blocking, copy, "to");
}

Tensor Tensor::cuda(int index, bool non_blocking) const {
  return detail::moved(*this, Device(kCUDA, index), impl_of(*this, "cuda").dtype, non_blocking, false, "cuda");
}

Tensor Tensor::cpu() const {
  return detail::moved(*this, Device(kCPU), impl_of(*this, "cpu").dtype, false, false, "cpu");
}

Tensor Tensor::copy_to(Device device, bool non_blocking) const {
  return detail::moved(*this, device, impl_of(*this, "copy_to").dtype, non_blocking, true, "copy_to");
}

Tensor& Tensor::copy_(const Tensor& source, bool non_blocking) {
  const auto& out = impl_of(*this, "copy_");
  const auto& from = impl_of(source, "copy_");
  if (&out == &from) return *this;
  detail::check_in_place(*this, "copy_");
  detail::check_no_internal_overlap(out, "copy_");
  const auto shape = same(out.sizes, from.sizes) ? out.sizes : broadcast_shapes(out, from, "copy_");
  if (!same(shape, out.sizes)) {
    detail::fail<ShapeError>("copy_",
                             fmt::format("output with shape {} doesn't match the broadcast shape {}",
                                         detail::text(out.sizes.ref()), detail::text(shape.ref())),
                             detail::operands({{"written", &out}, {"read", &from}}), "reshape the source first");
  }
  auto begun = detail::is_recorded(*this, source) && isFloatingType(out.dtype)
                   ? detail::record(detail::Recorded::CopyBackwards, {this, &source})
                   : nullptr;
  Tensor kept;
  detail::copy_values(out, detail::safe_to_read(source, out, "copy_", kept), {"copy_", false, non_blocking});
  detail::count_write(*this);
  if (begun != nullptr) detail::attach_in_place(*this, std::move(begun));
  return *this;
}

Tensor Tensor::clone() const {
  const auto& impl = impl_of(*this, "clone");
  return detail::recorded(detail::copied(*this, impl.device(), impl.dtype, false, {"clone"}), *this,
                          detail::Recorded::CloneBackward0);
}

Tensor Tensor::pin_memory() const {
  const auto& impl = impl_of(*this, "pin_memory");
  if (impl.storage->pinned()) return *this;
  if (!impl.device().is_cpu()) {
    detail::fail<DeviceError>(
        "pin_memory",
        fmt::format("cannot pin 'torch.cuda.{}Tensor' only dense CPU tensors can be pinned", toString(impl.dtype)),
        detail::operands({{"it", &impl}}), "bring it to the host first, with cpu()");
  }
  return detail::recorded(detail::copied(*this, Device(kCPU), impl.dtype, true, {"pin_memory"}), *this,
                          detail::Recorded::CloneBackward0);
}

}  // namespace d2l

namespace d2l::detail::derivatives {

void CopyBackwards(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (operation.wants(0)) results[0] = zeros_like(g);
  if (operation.wants(1)) results[1] = g.to(operation.inputs[1].device, operation.inputs[1].dtype);
}

D2L_DERIVATIVE(CloneBackward0, g)
D2L_DERIVATIVE(ToCopyBackward0, g.to(operation.inputs[0].device, operation.inputs[0].dtype))

}  // namespace d2l::detail::derivatives
