// SPDX-License-Identifier: MIT
#include "layer_ops/normalisation_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "ops/operands.h"

namespace d2l::detail {

const TensorImpl* optional_impl(const Tensor& tensor, const char* operation) {
  return tensor.defined() ? &impl_of(tensor, operation) : nullptr;
}

void check_same_dtype(const char* operation, const TensorImpl& input, NamedOperands others) {
  for (const auto& [name, other] : others) {
    if (other == nullptr || other->dtype == input.dtype) continue;
    fail<TypeError>(operation,
                    fmt::format("expected scalar type {} but found {}", toString(input.dtype), toString(other->dtype)),
                    operands({{"input", &input}, {name, other}}), "convert one of them with to()");
  }
}

void check_same_device(const char* operation, const TensorImpl& input, NamedOperands others) {
  for (const auto& [name, other] : others) {
    if (other != nullptr) same_device(operation, {&input, other}, {"input", name, ""});
  }
}

bool is_any_recorded(std::initializer_list<const Tensor*> inputs) noexcept {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const Tensor* input) { return input->defined() && is_recorded(*input); });
}

Record record_defined(Recorded kind, const Tensor& input, const Tensor& weight, const Tensor& bias) {
  return record(kind, {&input, weight.defined() ? &weight : nullptr, bias.defined() ? &bias : nullptr});
}

Tensor saved_or_undefined(const RecordedOperation& operation, std::size_t index) {
  operation.check_not_released();
  return operation.saved_tensors[index].tensor.defined() ? operation.saved(index) : Tensor();
}

}  // namespace d2l::detail
