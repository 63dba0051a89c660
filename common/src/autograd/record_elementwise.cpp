// SPDX-License-Identifier: MIT
// Recording of elementwise operations: which derivative, and what it needs.
#include "autograd/record_elementwise.h"

#include <optional>

namespace d2l::detail {

namespace {

using backend::Operation;

std::optional<Recorded> derivative_of(Operation operation) {
  switch (operation) {
    case Operation::neg:
      return Recorded::NegBackward0;
    case Operation::abs:
      return Recorded::AbsBackward0;
    case Operation::sqrt:
      return Recorded::SqrtBackward0;
    case Operation::exp:
      return Recorded::ExpBackward0;
    case Operation::log:
      return Recorded::LogBackward0;
    case Operation::relu:
      return Recorded::ReluBackward0;
    case Operation::sigmoid:
      return Recorded::SigmoidBackward0;
    case Operation::tanh:
      return Recorded::TanhBackward0;
    case Operation::add:
      return Recorded::AddBackward0;
    case Operation::sub:
      return Recorded::SubBackward0;
    case Operation::mul:
      return Recorded::MulBackward0;
    case Operation::div:
      return Recorded::DivBackward0;
    case Operation::pow:
      return Recorded::PowBackward1;
    default:
      return std::nullopt;  // comparisons, and what only derivatives use
  }
}

bool is_made_from_result(Recorded kind) {
  return kind == Recorded::SqrtBackward0 || kind == Recorded::ExpBackward0 || kind == Recorded::ReluBackward0 ||
         kind == Recorded::SigmoidBackward0 || kind == Recorded::TanhBackward0;
}

}  // namespace

Record begin_record(Operation operation, const Tensor& a) {
  if (!is_recorded(a)) return nullptr;
  const auto kind = derivative_of(operation);
  if (!kind) return nullptr;
  auto begun = record(*kind, {&a});
  if (*kind == Recorded::AbsBackward0 || *kind == Recorded::LogBackward0) save(*begun, 0, a);
  return begun;
}

Record begin_record(Operation operation, const Tensor& a, const Tensor& b, const Scalar& alpha) {
  if (!is_recorded(a, b)) return nullptr;
  const auto kind = derivative_of(operation);
  if (!kind) return nullptr;
  auto begun = record(*kind, {&a, &b});
  begun->number = alpha;
  const bool product = *kind == Recorded::MulBackward0;
  const bool quotient = *kind == Recorded::DivBackward0;
  const bool power = *kind == Recorded::PowBackward1;
  if (power || ((product || quotient) && begun->wants(1))) save(*begun, 0, a);
  if (power || quotient || (product && begun->wants(0))) save(*begun, 1, b);
  return begun;
}

Record begin_record(Operation operation, const Tensor& a, const Scalar& b) {
  if (!is_recorded(a)) return nullptr;
  auto kind = derivative_of(operation);
  if (!kind) return nullptr;
  if (*kind == Recorded::PowBackward1) kind = Recorded::PowBackward0;
  auto begun = record(*kind, {&a});
  begun->number = b;
  if (*kind == Recorded::PowBackward0) save(*begun, 0, a);
  // PyTorch saves the number as a tensor, and refuses a second backward() for it.
  if (*kind == Recorded::MulBackward0 || *kind == Recorded::DivBackward0) begun->has_saved = true;
  return begun;
}

Record begin_record(Operation operation, const Scalar& a, const Tensor& b) {
  if (!is_recorded(b)) return nullptr;
  if (operation == Operation::sub) return record(Recorded::RsubBackward1, {&b});
  if (operation == Operation::div) {  // a × (1 / b), as PyTorch records it
    auto reciprocal = record(Recorded::ReciprocalBackward0, {&b});
    save(*reciprocal, 0, b);
    reciprocal->describe(*b.impl());
    auto product = std::make_shared<RecordedOperation>(Recorded::MulBackward0);
    product->inputs.push_back({std::move(reciprocal), nullptr});
    product->number = a;
    return product;
  }
  if (operation != Operation::pow) return nullptr;
  auto begun = record(Recorded::PowBackward1, {nullptr, &b});
  begun->number = a;
  save(*begun, 1, b);
  return begun;
}

void save_result(RecordedOperation& operation, const Tensor& result) {
  const bool power = operation.kind == Recorded::PowBackward1;
  if (!power && !is_made_from_result(operation.kind)) return;
  save_made(operation, power ? 2 : 0, result);
}

}  // namespace d2l::detail
