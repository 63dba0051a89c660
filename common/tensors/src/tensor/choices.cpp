// SPDX-License-Identifier: MIT
// Choices between the elements of two tensors: where, masked_fill.
#include <fmt/format.h>

#include <array>

#include "autograd/recording.h"
#include "d2l/ops.h"
#include "ops/elementwise_launch.h"
#include "ops/operands.h"
#include "ops/promotion.h"
#include "tensor/in_place.h"
#include "values/number_range.h"

namespace d2l {

using detail::Argument;
using detail::fail;
using detail::impl_of;
using detail::Operation;
using detail::Recorded;
using detail::TensorImpl;

namespace {

// where

void check_condition(const TensorImpl& condition) {
  if (condition.dtype == kBool || condition.dtype == kByte) return;
  fail<TypeError>("where",
                  fmt::format("where expected condition to be a boolean tensor, but got a tensor with dtype {}",
                              toString(condition.dtype)),
                  detail::operands({{"condition", &condition}}), "compare it first, for example condition != 0");
}

/// The elements of a where the condition is true, else those of b; `tensors` are the tensors, the condition first.
Tensor chosen(const Tensor& condition, const Argument& a, const Argument& b, ScalarType type,
              std::initializer_list<const TensorImpl*> tensors) {
  check_condition(*condition.impl());
  const auto shape = detail::broadcast_shapes("where", tensors);
  Tensor result = detail::make_tensor(shape, type, detail::common_device("where", tensors), false, "where");
  for (const Argument* argument : {&a, &b}) {
    if (argument->tensor == nullptr) detail::check_representable(argument->number, type, "where");
  }
  detail::choice_into(Operation::where, *result.impl(), {a, b, *condition.impl()}, type);
  return result;
}

/// The result of where() with its record; a null pointer stands for a number.
Tensor recorded(const Tensor& result, const Tensor& condition, const Tensor* a, const Tensor* b) {
  if (!(a != nullptr && detail::is_recorded(*a)) && !(b != nullptr && detail::is_recorded(*b))) return result;
  auto record = detail::record(Recorded::WhereBackward0, {a, b});
  detail::save(*record, 0, condition);
  detail::attach(result, std::move(record));
  return result;
}

// masked_fill

void check_mask(const TensorImpl& mask, const char* operation) {
  if (mask.dtype == kBool) return;
  constexpr std::array<const char*, scalar_type_count> names{"bool",      "unsigned char", "int",   "long int",
                                                             "c10::Half", "c10::BFloat16", "float", "double"};
  fail<TypeError>(operation,
                  fmt::format("masked_fill_ only supports boolean masks, but got mask with dtype {}",
                              names.at(static_cast<std::size_t>(mask.dtype))),
                  detail::operands({{"mask", &mask}}), "compare it first, for example mask != 0");
}

/// TypeError for a value with a gradient, which integers do not lead to.
void check_differentiable(const Tensor& x, const Tensor& value, const char* operation) {
  if (isFloatingType(impl_of(x, operation).dtype) || !detail::is_recorded(value)) return;
  fail<TypeError>(operation, fmt::format("Autograd not support dtype: {}", toString(x.impl()->dtype)),
                  detail::operands({{"x", x.impl().get()}, {"value", value.impl().get()}}),
                  "give it detached: value.detach()");
}

/// What masked_fill() writes: a number, or a tensor without dimensions on a GPU.
Argument filling(const Tensor& value, const char* operation) {
  const TensorImpl& impl = impl_of(value, operation);
  if (impl.sizes.count != 0) {
    fail<ShapeError>(operation,
                     fmt::format("masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {} "
                                 "dimension(s).",
                                 impl.sizes.count),
                     detail::operands({{"value", &impl}}), "give a number, or use where()");
  }
  if (!impl.device().is_cpu()) return impl;
  impl.storage->wait_until_readable();
  return detail::read_number(impl);
}

/// The record of masked_fill; `value` is null for a number.
detail::Record record_of_filling(const Tensor& x, const Tensor& mask, const Tensor* value) {
  if (!detail::is_recorded(x) && !(value != nullptr && detail::is_recorded(*value))) return nullptr;
  auto record = value == nullptr ? detail::record(Recorded::MaskedFillBackward0, {&x})
                                 : detail::record(Recorded::MaskedFillBackward1, {&x, value});
  detail::save(*record, 0, mask);
  return record;
}

void check_filling(const TensorImpl& x, const TensorImpl& mask, const Argument& filling, const char* operation) {
  check_mask(mask, operation);
  const detail::OperandNames names{"x", "mask", "value"};
  if (filling.tensor != nullptr) {
    detail::same_device(operation, {&x, &mask, filling.tensor}, names);
  } else {
    detail::same_device(operation, {&x, &mask}, names);
    detail::check_representable(filling.number, x.dtype, operation);
  }
}

Tensor filled(const Tensor& x, const Tensor& mask, const Argument& filling, const Tensor* value) {
  const TensorImpl& own = impl_of(x, "masked_fill");
  const TensorImpl& chosen = impl_of(mask, "masked_fill");
  const auto shape = detail::broadcast_shapes("masked_fill", {&chosen, &own});
  check_filling(own, chosen, filling, "masked_fill");
  Tensor result = detail::make_tensor(shape, own.dtype, own.device(), false, "masked_fill");
  detail::choice_into(Operation::where, *result.impl(), {filling, own, chosen}, own.dtype);
  if (auto record = record_of_filling(x, mask, value)) detail::attach(result, std::move(record));
  return result;
}

Tensor& fill_in(Tensor& x, const Tensor& mask, const Argument& filling, const Tensor* value) {
  const TensorImpl& out = detail::writable(x, "masked_fill_");
  const TensorImpl& chosen = impl_of(mask, "masked_fill_");
  check_filling(out, chosen, filling, "masked_fill_");
  detail::check_written_shape("masked_fill", out, {&chosen});
  Tensor kept;
  const Tensor& read = detail::safe_to_read(mask, out, "masked_fill_", kept);
  auto record = record_of_filling(x, mask, value);
  if (record != nullptr) keep_overwritten(*record, x);
  detail::choice_into(Operation::where, out, {filling, out, *read.impl()}, out.dtype);
  detail::finish_write(x, std::move(record));
  return x;
}

}  // namespace

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  const TensorImpl& c = impl_of(condition, "where");
  const TensorImpl& x = impl_of(a, "where");
  const TensorImpl& y = impl_of(b, "where");
  return recorded(chosen(condition, x, y, detail::result_type(a, b), {&c, &x, &y}), condition, &a, &b);
}
Tensor where(const Tensor& condition, const Tensor& a, Scalar b) {
  const TensorImpl& c = impl_of(condition, "where");
  const TensorImpl& x = impl_of(a, "where");
  return recorded(chosen(condition, x, b, detail::result_type(a, b), {&c, &x}), condition, &a, nullptr);
}
Tensor where(const Tensor& condition, Scalar a, const Tensor& b) {
  const TensorImpl& c = impl_of(condition, "where");
  const TensorImpl& y = impl_of(b, "where");
  return recorded(chosen(condition, a, y, detail::result_type(b, a), {&c, &y}), condition, nullptr, &b);
}
Tensor where(const Tensor& condition, Scalar a, Scalar b) {
  const TensorImpl& c = impl_of(condition, "where");
  return chosen(condition, a, b, detail::result_type(a, b), {&c});
}
Tensor Tensor::where(const Tensor& condition, const Tensor& other) const { return d2l::where(condition, *this, other); }
Tensor Tensor::where(const Tensor& condition, Scalar other) const { return d2l::where(condition, *this, other); }

Tensor Tensor::masked_fill(const Tensor& mask, Scalar value) const { return filled(*this, mask, value, nullptr); }
Tensor Tensor::masked_fill(const Tensor& mask, const Tensor& value) const {
  const Argument fills = filling(value, "masked_fill");
  check_differentiable(*this, value, "masked_fill");
  return filled(*this, mask, fills, &value);
}
Tensor& Tensor::masked_fill_(const Tensor& mask, Scalar value) { return fill_in(*this, mask, value, nullptr); }
Tensor& Tensor::masked_fill_(const Tensor& mask, const Tensor& value) {
  const Argument fills = filling(value, "masked_fill_");
  check_differentiable(*this, value, "masked_fill_");
  return fill_in(*this, mask, fills, &value);
}

}  // namespace d2l

namespace d2l::detail::derivatives {

void WhereBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& condition = operation.saved(0);
  if (operation.wants(0)) results[0] = where(condition, g, 0);
  if (operation.wants(1)) results[1] = where(condition, 0, g);
}

D2L_DERIVATIVE(MaskedFillBackward0, g.masked_fill(operation.saved(0), 0))

void MaskedFillBackward1(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& mask = operation.saved(0);
  if (operation.wants(0)) results[0] = g.masked_fill(mask, 0);
  if (operation.wants(1)) results[1] = where(mask, g, 0).sum();
}

}  // namespace d2l::detail::derivatives
