// SPDX-License-Identifier: MIT
// Recording of elementwise operations, new tensors and writes in place alike.
#pragma once

#include "autograd/recording.h"
#include "kernels/operations.h"

namespace d2l::detail {

/// The records of f(a) and f(a, b); begun before a write in place, which overwrites a, or after the result is there.
/// Null for operations without a derivative.
Record begin_record(backend::Operation operation, const Tensor& a);
Record begin_record(backend::Operation operation, const Tensor& a, const Tensor& b, const Scalar& alpha = 1);
Record begin_record(backend::Operation operation, const Tensor& a, const Scalar& b);
Record begin_record(backend::Operation operation, const Scalar& a, const Tensor& b);
/// Keeps the result, where the derivative is computed from it.
void save_result(RecordedOperation& operation, const Tensor& result);

/// What an operation made, with its history.
template <class... Inputs>
Tensor recorded(Tensor result, backend::Operation operation, const Inputs&... inputs) {
  if (auto begun = begin_record(operation, inputs...)) {
    save_result(*begun, result);
    attach(result, std::move(begun));
  }
  return result;
}

}  // namespace d2l::detail
