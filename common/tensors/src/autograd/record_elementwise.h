// SPDX-License-Identifier: MIT
// Recording of elementwise operations, both those that make a tensor and those that write in place.
#pragma once

#include "autograd/recording.h"
#include "kernels/operations.h"

namespace d2l::detail {

/// The records of f(a) and f(a, b), begun before a write in place overwrites a, or after the result is computed. Null
/// if nothing is to be recorded, and for operations without a derivative.
Record begin_record(backend::Operation operation, const Tensor& a);
Record begin_record(backend::Operation operation, const Tensor& a, const Tensor& b, const Scalar& alpha = 1);
Record begin_record(backend::Operation operation, const Tensor& a, const Scalar& b);
Record begin_record(backend::Operation operation, const Scalar& a, const Tensor& b);
/// Keeps the result, if the derivative is computed from it.
void save_result(backend::Operation operation, RecordedOperation& begun, const Tensor& result);

/// `result`, with the record of the operation that made it.
template <class... Inputs>
Tensor recorded(Tensor result, backend::Operation operation, const Inputs&... inputs) {
  if (auto begun = begin_record(operation, inputs...)) {
    save_result(operation, *begun, result);
    attach(result, std::move(begun));
  }
  return result;
}

}  // namespace d2l::detail
