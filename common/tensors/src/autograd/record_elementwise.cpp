// SPDX-License-Identifier: MIT
// Recording of elementwise operations, by the table of operations: which derivative, and what it needs.
#include "autograd/record_elementwise.h"

#include <optional>

namespace d2l::detail {

namespace {

using backend::Operation;
namespace keep = backend::keep;

/// The derivative of an elementwise operation; comparisons have none.
std::optional<Recorded> derivative_of(Operation operation) {
  // Recorded begins with the derivatives of all operations before the first comparison, in the same order.
  if (operation >= Operation::eq) return std::nullopt;
  return static_cast<Recorded>(operation);
}
#define D2L_SAME_INDEX(name, types, flops, derivative, keeps, reference) \
  static_assert(static_cast<int>(Operation::name) == static_cast<int>(Recorded::derivative));
D2L_UNARY_OPERATIONS(D2L_SAME_INDEX)
D2L_BINARY_OPERATIONS(D2L_SAME_INDEX)
D2L_PAIR_OPERATIONS(D2L_SAME_INDEX)
#undef D2L_SAME_INDEX

/// The derivative of f(a, b) where b is a number.
Recorded with_a_number(Recorded kind) {
  if (kind == Recorded::PowBackward1) return Recorded::PowBackward0;
  return kind == Recorded::RemainderBackward1 ? Recorded::RemainderBackward0 : kind;
}

}  // namespace

Record begin_record(Operation operation, const Tensor& a) {
  if (!is_recorded(a)) return nullptr;
  const auto kind = derivative_of(operation);
  if (!kind) return nullptr;
  auto begun = record(*kind, {&a});
  if ((info(operation).keeps & keep::a) != 0) save(*begun, 0, a);
  return begun;
}

Record begin_record(Operation operation, const Tensor& a, const Tensor& b, const Scalar& alpha) {
  if (!is_recorded(a, b)) return nullptr;
  const auto kind = derivative_of(operation);
  if (!kind) return nullptr;
  auto begun = record(*kind, {&a, &b});
  begun->number = alpha;
  const int keeps = info(operation).keeps;
  if ((keeps & (begun->wants(1) ? keep::a | keep::a_if_b : keep::a)) != 0) save(*begun, 0, a);
  const int keeps_b = keep::b | (begun->wants(0) ? keep::b_if_a : 0) | (begun->wants(1) ? keep::b_if_b : 0);
  if ((keeps & keeps_b) != 0) save(*begun, 1, b);
  return begun;
}

Record begin_record(Operation operation, const Tensor& a, const Scalar& b) {
  if (!is_recorded(a)) return nullptr;
  const auto kind = derivative_of(operation);
  if (!kind) return nullptr;
  auto begun = record(with_a_number(*kind), {&a});
  begun->number = b;
  const int keeps = info(operation).keeps;
  if ((keeps & keep::a) != 0) save(*begun, 0, a);
  // PyTorch saves the number as a tensor, and so refuses a second backward().
  if ((keeps & (keep::b | keep::b_if_a)) != 0) begun->has_saved = true;
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
    product->inputs.emplace_back(std::move(reciprocal), *b.impl());
    product->number = a;
    return product;
  }
  auto begun = record(*derivative_of(operation), {nullptr, &b});
  begun->number = a;
  if ((info(operation).keeps & (keep::b | keep::b_if_b)) != 0) save(*begun, 1, b);
  return begun;
}

void save_result(Operation operation, RecordedOperation& begun, const Tensor& result) {
  const bool is_kept = (info(operation).keeps & keep::result) != 0 && begun.kind == derivative_of(operation);
  if (is_kept) save_made(begun, saved_result, result);
}

}  // namespace d2l::detail
